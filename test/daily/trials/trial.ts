import type { LocalApi, RepositoryCopy } from './repository-copy.ts';

/** Something that the documents describe, done in a copy of the repository. */
export interface Trial {
  /** The document and the heading that describe it. */
  readonly document: string;
  readonly section: string;
  /** How many files it changes; by default any number. */
  readonly files?: number;
  /** Whether a line of `git status` counts; by default all do. */
  isCounted?(change: string): boolean;
  /** Whether it changes the API, so that `npm run openapi` is the last step. */
  readonly changesApi: boolean;
  /** The mode in which Vitest runs; by default all tests run. */
  readonly mode?: string;
  /** The name of the copy's folder, if it matters. */
  readonly folder?: string;
  /** Whether the copy is a repository; by default it is. */
  readonly hasGit?: boolean;
  /** Changes where the trial runs, until what it returns is disposed of. */
  surround?(): Disposable;
  /** Follows the steps but the last, `npm run openapi`. */
  follow(copy: RepositoryCopy): void;
  /** Uses what the steps added, if that needs a local API. */
  check?(copy: RepositoryCopy, api: LocalApi): Promise<void>;
}

export const operationSettings = 'infra/settings/limits-and-permissions.ts';

/** Adds the settings of an operation, with its actions on tables. */
export function addSettings(
  copy: RepositoryCopy,
  operationId: string,
  tableActions: string,
  limits = 'rateLimit: 400, burstLimit: 80',
): void {
  const settings = `throttling: { ${limits} }, tableActions: { ${tableActions} }`;
  copy.insert(operationSettings, 'createPet: {', `${operationId}: { ${settings} },\n  `);
}

/** Returns a test over HTTP in which a call, such as `'GET', '/pets/1'`, gets a 404. */
export const notFoundTest = (call: string) => `import { it } from 'vitest';
import { call } from '../support/e2e/api-client.ts';
import { expectError } from '../support/e2e/expect-error.ts';

it('responds with 404 for what does not exist', async () => {
  expectError(await call(${call}), 404, 'not_found');
});
`;

/** Where the list of operations begins, after the last of them. */
export const allOperations = '/** Every operation on pets. */\nexport const petOperations = { ';

export const tsc = ['node_modules/typescript/bin/tsc'];
export const biome = [
  'node_modules/@biomejs/biome/bin/biome',
  'check',
  '--write',
  '--error-on-warnings',
  '.',
];
/** Runs tests, quick and slow ones. */
export const vitest = (...args: readonly string[]) => vitestIn('test', ...args);

/** Runs tests in a mode of vitest.config.ts. */
export const vitestIn = (mode: string, ...args: readonly string[]) => [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--mode',
  mode,
  ...args,
];
