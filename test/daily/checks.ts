import { globSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type DailyCheck, dailyTests } from '../../bin/cli/daily-check.ts';

const stryker = 'test/daily/mutation/node_modules/@stryker-mutator/core/bin/stryker.js';

const ofService: Readonly<Record<string, DailyCheck>> = {
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
    says: 'sends thousands of creates while DynamoDB fails',
    runs: [dailyTests('test/functions/exactly-once.test.ts')],
  },
  costs: {
    says: 'counts the calls and capacity units of each kind of request with 100,000 pets',
    runs: [dailyTests('test/functions/costs.test.ts')],
  },
  settings: {
    says: "synthesizes each stage with each setting alone, and runs CloudFormation's validation",
    runs: [dailyTests('test/infra/settings/stages.test.ts')],
  },
  commands: {
    says: 'runs the examples that commands print with --help',
    runs: [dailyTests('/examples.daily.test.ts', 'test/infra/cdk-ls.daily.test.ts')],
  },
  generators: {
    says: 'generates clients from openapi.json, and calls the local API with them',
    runs: [['test/daily/generators/run.ts']],
    packages: 'test/daily/generators',
  },
};

/** Those of the tools, by their folders. */
const ofTools = globSync('bin/*/daily.ts')
  .toSorted()
  .map(async (path): Promise<[string, DailyCheck]> => {
    const { check } = await import(pathToFileURL(resolve(path)).href);
    return [basename(dirname(path)), check];
  });

/** What takes too long for npm test. The workflow daily.yml runs each. */
export const checks = { ...ofService, ...Object.fromEntries(await Promise.all(ofTools)) };
