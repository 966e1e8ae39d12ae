import type { RepositoryCopy } from './repository-copy.ts';

/** A change that CONTRIBUTING.md describes, followed in a copy of the repository. */
export interface Trial {
  /** The heading of its steps. */
  readonly section: string;
  /** The most files that it may change. */
  readonly maxFiles: number;
  readonly steps: readonly Step[];
  /** Uses what the steps added. */
  check(copy: RepositoryCopy): Promise<void>;
}

interface Step {
  /** A command that fails without the step, and how the failure names the step. */
  readonly missing?: { readonly run: readonly string[]; readonly says: string };
  take(copy: RepositoryCopy): void;
}

/** Where the list of operations begins, after the last of them. */
export const allOperations = '/** Every operation of the API. */\nexport const operations = { ';

export const tsc = ['node_modules/typescript/bin/tsc'];
export const vitest = (...args: readonly string[]) => [
  'node_modules/vitest/vitest.mjs',
  ...['run', '--mode', 'this-machine', ...args],
];

/** The last step of a change to the contract. */
export const updateDescription: Step = {
  missing: { run: vitest('test/infra/reference/document.test.ts'), says: 'npm run openapi' },
  take: (copy) => copy.run(['bin/openapi.ts']),
};
