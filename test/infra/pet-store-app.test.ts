import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryFile } from '../support/e2e/temporary-file.ts';

it('the CDK lists both stacks without an AWS account', { timeout: 120_000 }, async () => {
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

  expect(stdout).toBe('PetStore-staging\nPetStore-production\n');
});
