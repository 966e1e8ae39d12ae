import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { stages } from '../../../infra/settings/stages.ts';
import { stackName } from '../../../infra/stack-names.ts';
import { temporaryFile } from '../../support/e2e/temporary-file.ts';

it('the CDK lists every stack without an AWS account', async () => {
  const output = temporaryFile('cdk.out');

  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['node_modules/aws-cdk/bin/cdk', 'ls', '--no-notices', '--output', output],
    {
      env: {
        PATH: process.env['PATH'],
        HOME: dirname(output),
        CDK_DISABLE_CLI_TELEMETRY: 'true',
        CDK_VALIDATION: 'false',
        npm_config_update_notifier: 'false',
      },
    },
  );

  const names = Object.keys(stages).flatMap((stage) => [stackName(stage), `${stackName(stage)}-access`]);
  expect(stdout).toBe(`${names.join('\n')}\n`);
});
