import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { stages } from '../../infra/settings/stages.ts';
import { stackName } from '../../infra/stack-names.ts';
import { temporaryFile } from '../support/e2e/temporary-file.ts';

it('the CDK lists the stack of every stage without an AWS account', async () => {
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

  expect(stdout.split('\n')).toEqual(expect.arrayContaining(Object.keys(stages).map(stackName)));
});
