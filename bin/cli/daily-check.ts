/** A check that takes too long for npm test. A tool has its own in `daily.ts`, as `check`. */
export interface DailyCheck {
  readonly says: string;
  /** Scripts that Node runs one after another, with their arguments. */
  readonly runs: readonly (readonly [script: string, ...args: string[]])[];
  /** A folder with packages of its own, which are installed first. */
  readonly packages?: string;
}

/** Runs the tests whose paths begin so, with what only the daily checks test. */
export const dailyTests = (...paths: readonly string[]) =>
  ['node_modules/vitest/vitest.mjs', 'run', '--mode', 'daily', ...paths] as const;
