import './bin/node-24.mjs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineConfig } from 'vitest/config';
import type { Operation } from './shared/contract/operation.ts';
import { operations } from './shared/service.ts';
import { rootForVite } from './test/support/setup/root-for-vite.ts';

/** Moves the clock to a day after every deprecated operation is removed. */
const clock = pathToFileURL('test/support/setup/clock.mjs').href;
const sunsets = Object.values<Operation>(operations).flatMap(({ deprecation }) =>
  deprecation ? [Date.parse(deprecation.sunset)] : [],
);
const dayAfter = new Date(Math.max(Date.now(), ...sunsets) + 24 * 60 * 60 * 1000);
const afterSunset = `${clock}?${dayAfter.toISOString()}`;

/** What npm scripts set with --mode, because not every shell can. */
const environments: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  smoke: { SMOKE: '1' },
  daily: {
    FAULTS_CREATES: '2000',
    COSTS_PETS: '100000',
    FUZZ_REQUESTS: '10000',
    PUT_BACK_ITEMS: '100000',
    DAILY: '1',
  },
  screenshot: { SCREENSHOT: '1' },
  'after-sunset': { NODE_OPTIONS: `--import=${afterSunset}` },
};

/** What is left out: npm test runs what a developer waits for, and npm run test:slow the rest. Other modes run both. */
const leftOut: Readonly<Record<string, readonly string[]>> = {
  quick: ['**/*.slow.test.ts'],
  slow: ['**/!(*.slow).test.ts'],
};

/** In any other mode, the tests start an API of their own, even if the shell sets BASE_URL. */
const modesOfStages: readonly string[] = ['e2e', 'smoke'];

export default defineConfig(({ mode }) => {
  const address = modesOfStages.includes(mode) ? {} : { BASE_URL: '', API_KEY: '' };
  Object.assign(process.env, address, environments[mode]);
  // Here, because a failed setup would be reported after "No test files found".
  if (mode === 'smoke' && !(process.env['BASE_URL'] && process.env['API_KEY'])) {
    console.error('npm run smoke tests a deployed stage: set BASE_URL and API_KEY.');
    process.exit(1);
  }
  // Tests, commands and functions start sooner with it.
  process.env['NODE_COMPILE_CACHE'] ??= resolve('node_modules/.cache/node-compile-cache');
  const isOfService = mode === 'service' || process.env['BASE_URL'];
  return {
    ...rootForVite(import.meta.dirname),
    test: {
      // Only for what hangs: with other work, a machine can take ten times as long.
      testTimeout: 120_000,
      hookTimeout: 120_000,
      coverage: { reportsDirectory: 'node_modules/.cache/coverage', reporter: ['text', 'html'] },
      // On 2 cores, a third worker took a third more CPU time, and 20 s longer: tests start processes of their own.
      maxWorkers: Math.max(2, Math.floor(availableParallelism() / 2)),
      // The test files of a worker share libraries: loading the CDK and the SDK takes longer than most tests.
      isolate: false,
      exclude: [...(leftOut[mode] ?? [])],
      setupFiles: ['test/support/setup/clean-worker.ts'],
      // Worker threads that a test starts have its arguments, but an environment of their own.
      execArgv: mode === 'after-sunset' ? ['--import', afterSunset] : [],
      // They start in the order of their names.
      projects: [
        { extends: true, test: { name: 'check', include: ['test/check.test.ts'] } },
        {
          extends: true,
          test: {
            name: 'unit',
            include: ['test/{shared,functions}/**/*.test.ts'],
            // One embedded DynamoDB, with separate tables per test file.
            globalSetup: 'test/support/setup/dynamodb.ts',
            setupFiles: ['test/support/setup/fresh-modules.ts', 'test/support/setup/tables.ts'],
          },
        },
        {
          extends: true,
          test: {
            name: 'infra-and-tools',
            include: ['test/{docs,infra,daily}/**/*.test.ts', 'bin/*/test/**/*.test.ts'],
            exclude: [
              'bin/*/test/e2e/**',
              mode === 'daily' ? '' : '**/*.daily.test.ts',
              ...(isOfService ? ['bin/!(reference)/**', 'test/{docs,daily}/**'] : []),
            ],
            globalSetup: 'test/support/setup/assemblies.ts',
          },
        },
        {
          extends: true,
          test: {
            name: 'e2e',
            include: [
              process.env['SMOKE'] === undefined
                ? '{test,bin/*/test}/e2e/**/*.test.ts'
                : 'test/e2e/smoke*.test.ts',
            ],
            // Tests of the tools say nothing about the service.
            exclude: isOfService ? ['bin/**'] : [],
            globalSetup: 'test/support/setup/base-url.ts',
            setupFiles: 'test/support/setup/fresh-modules.ts',
          },
        },
      ],
    },
  };
});
