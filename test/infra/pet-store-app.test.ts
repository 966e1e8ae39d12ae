import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished, vi } from 'vitest';
import { resourcesOf } from '../support/infra/template.ts';

it('the CDK lists both stacks without an AWS account', { timeout: 120_000 }, async () => {
  const home = mkdtempSync(join(tmpdir(), 'pet-store-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const environment = Object.entries(process.env).filter(([name]) => !/^(AWS|CDK)_/.test(name));

  const { stdout } = await promisify(execFile)(
    'node_modules/.bin/cdk',
    ['ls', '--no-notices', '--output', join(home, 'cdk.out')],
    {
      env: {
        ...Object.fromEntries(environment),
        HOME: home,
        CDK_DISABLE_CLI_TELEMETRY: 'true',
        // The tests of the stacks make CloudFormation's checks, which take longer than all the rest.
        CDK_VALIDATION: 'false',
        npm_config_update_notifier: 'false',
      },
    },
  );

  expect(stdout).toBe('PetStore-staging\nPetStore-production\n');
});

/** What API Gateway deploys, by its logical id: it deploys anew when the id is another. */
async function deploymentWith(authorizerCacheSeconds: number): Promise<string[]> {
  vi.resetModules();
  vi.doMock('../../shared/contract/api-key.ts', async (importOriginal) => ({
    ...(await importOriginal<object>()),
    authorizerCacheSeconds,
  }));
  const { synthesize } = await import('../../infra/local/template/synthesize.ts');
  const { template, dispose } = synthesize('staging');
  dispose();
  const resources = Object.entries(resourcesOf(template));
  return resources.filter(([, { Type }]) => Type === 'AWS::ApiGateway::Deployment').map(([id]) => id);
}

it('deploys a changed authorizer, and only that', { timeout: 120_000 }, async () => {
  const deployment = await deploymentWith(60);

  expect(deployment).toHaveLength(1);
  expect(await deploymentWith(60)).toStrictEqual(deployment);
  expect(await deploymentWith(61)).not.toStrictEqual(deployment);
});
