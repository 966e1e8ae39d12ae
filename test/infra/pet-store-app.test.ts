import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';

it('the CDK lists both stacks without an AWS account', {
  timeout: 120_000,
}, async () => {
  const home = mkdtempSync(join(tmpdir(), 'pet-store-'));
  onTestFinished(() => rmSync(home, { recursive: true }));

  const { stdout } = await promisify(execFile)(
    'node_modules/.bin/cdk',
    ['ls', '--no-notices', '--output', join(home, 'cdk.out')],
    {
      env: {
        PATH: process.env['PATH'],
        HOME: home,
        CDK_DISABLE_CLI_TELEMETRY: 'true',
        // Another test runs CloudFormation's checks, which take longer than all the rest.
        CDK_VALIDATION: 'false',
        npm_config_update_notifier: 'false',
      },
    },
  );

  expect(stdout).toBe('PetStore-staging\nPetStore-production\n');
});
