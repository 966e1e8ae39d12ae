import type { LocalApi, RepositoryCopy } from './repository-copy.ts';

/** A change that CONTRIBUTING.md describes, followed in a copy of the repository. */
export interface Trial {
  /** The heading of its steps. */
  readonly section: string;
  /** The most files that it may change. */
  readonly maxFiles: number;
  /** Follows the steps but the last, `npm run openapi`. */
  follow(copy: RepositoryCopy): void;
  /** Uses what the steps added. */
  check(copy: RepositoryCopy, api: LocalApi): Promise<void>;
}

/** Where the list of operations begins, after the last of them. */
export const allOperations = '/** Every operation of the API. */\nexport const operations = { ';

export const tsc = ['node_modules/typescript/bin/tsc'];
export const vitest = (...args: readonly string[]) => [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--mode',
  'this-machine',
  ...args,
];
