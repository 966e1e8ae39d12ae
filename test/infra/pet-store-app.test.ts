import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { petStoreApp } from '../../infra/pet-store-app.ts';
import { stackName } from '../../infra/settings/stage-names.ts';
import { stages } from '../../infra/settings/stages.ts';
import { temporaryFile } from '../support/e2e/temporary-file.ts';
import { leastSettings } from '../support/infra/stage-settings.ts';

it.each(['Staging', 'dev2', 'dev-anna', 'local', 'developmentsandtesting'])(
  'a stage cannot be named %s',
  (name) => {
    const props = { outdir: temporaryFile('cdk.out') };

    expect(() => petStoreApp({ [name]: leastSettings }, props)).toThrow(
      `A stage cannot be named "${name}": choose at most 20 lowercase letters, and not "local".`,
    );
  },
);

it('the CDK lists every stack without an AWS account', { timeout: 120_000 }, async () => {
  const output = temporaryFile('cdk.out');

  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['node_modules/aws-cdk/bin/cdk', 'ls', '--no-notices', '--output', output],
    {
      env: {
        PATH: process.env['PATH'],
        HOME: dirname(output),
        CDK_DISABLE_CLI_TELEMETRY: 'true',
        // Another test runs CloudFormation's checks, which take longer than all the rest.
        CDK_VALIDATION: 'false',
        npm_config_update_notifier: 'false',
      },
    },
  );

  const names = Object.keys(stages).flatMap((stage) => [stackName(stage), `${stackName(stage)}-access`]);
  expect(stdout).toBe(`${names.join('\n')}\n`);
});
