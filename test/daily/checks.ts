/** Scripts that Node runs one after another, with their arguments. */
type Runs = readonly (readonly [script: string, ...args: string[]])[];

interface Check {
  readonly says: string;
  readonly runs: Runs;
  /** A folder with packages of its own, which are installed first. */
  readonly packages?: string;
}

const vitest = (mode: string, ...args: readonly string[]): Runs => [
  ['node_modules/vitest/vitest.mjs', 'run', '--mode', mode, ...args],
];
const stryker = 'test/daily/mutation/node_modules/@stryker-mutator/core/bin/stryker.js';

/** What takes too long for npm test. The workflow daily.yml runs each. */
export const checks: Readonly<Record<string, Check>> = {
  trials: {
    says: 'follows the how-tos in copies of the project, all of them or those named after it',
    runs: [['test/daily/trials/trials.ts']],
  },
  mutation: {
    says: 'breaks shared/ and functions/ on purpose, and shows whether the tests notice',
    runs: [[stryker, 'run', 'test/daily/mutation/stryker.config.json']],
    packages: 'test/daily/mutation',
  },
  faults: {
    says: 'sends thousands of creates while DynamoDB fails, and some to a local API whose disk is full',
    runs: vitest('daily', 'test/functions/exactly-once.test.ts', 'bin/local/test/e2e/kept-data.test.ts'),
  },
  costs: {
    says: 'counts the calls and capacity units of each kind of request with 100,000 pets',
    runs: vitest('daily', 'test/functions/costs.test.ts'),
  },
  'put-back': {
    says: 'puts 100,000 items back, although it is interrupted',
    runs: vitest('daily', 'bin/stage/test/put-back/command.test.ts'),
  },
  fuzz: {
    says: 'sends thousands of hostile requests to the local API',
    runs: vitest('daily', 'bin/local/test/e2e/fuzz.test.ts'),
  },
  settings: {
    says: "synthesizes each stage with each setting alone, and runs CloudFormation's validation",
    runs: vitest('daily', 'test/infra/settings/stages.test.ts'),
  },
  commands: {
    says: 'tests what is too slow for npm test of the commands, such as that npm run behavior finds changes',
    runs: vitest(
      'daily',
      'test/daily/commands',
      'bin/behavior/test/behavior.daily.test.ts',
      'bin/local/test/inspect.daily.test.ts',
      'test/infra/cdk-ls.daily.test.ts',
      'bin/reference/test/e2e/reference.test.ts',
    ),
  },
  sandbox: {
    says: 'installs the sandbox offline, and runs the end-to-end tests and its document against it',
    runs: [['bin/sandbox/test/end-to-end.ts'], ...vitest('daily', 'bin/sandbox/test/sandbox-document')],
  },
  generators: {
    says: 'generates clients from openapi.json, and calls the local API with them',
    runs: [['test/daily/generators/run.ts']],
    packages: 'test/daily/generators',
  },
  runtimes: {
    says: "runs the client's network tests on Node, Bun and Deno, and compiles its package with older resolutions",
    runs: [['bin/client/test/runtimes/run.ts'], ['bin/client/test/runtimes/resolutions.ts']],
    packages: 'bin/client/test/runtimes',
  },
  bench: {
    says: 'measures the functions, npm run dev and the memory of the local API',
    runs: [['bin/bench/bench.ts'], ['bin/bench/bench.ts', 'reload'], ['bin/bench/bench.ts', 'memory']],
  },
};
