import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { expect, it, onTestFinished } from 'vitest';
import { petStoreApp } from '../../infra/pet-store-app.ts';
import { PetStoreApi } from '../../infra/service/pet-store-api.ts';
import { stages } from '../../infra/settings/stages.ts';
import { operations } from '../../shared/contract/operations.ts';

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
        // The test of the stacks makes CloudFormation's checks, which take longer than all the rest.
        CDK_VALIDATION: 'false',
        npm_config_update_notifier: 'false',
      },
    },
  );

  expect(stdout).toBe('PetStore-staging\nPetStore-production\n');
});

/** What API Gateway deploys of an API with an authorizer, by its logical id: it deploys anew when the id is another. */
function deploymentWith(authorizerName: string): string[] {
  const outdir = mkdtempSync(join(tmpdir(), 'pet-store-'));
  onTestFinished(() => rmSync(outdir, { recursive: true }));
  const stack = new Stack(petStoreApp([], { outdir, builtinCloudFormationValidation: false }), 'PetStore');
  const functionNamed = (name: string) => ({ live: LambdaFunction.fromFunctionName(stack, name, name) });
  new PetStoreApi(stack, 'PetStore', {
    stage: 'staging',
    settings: stages.staging,
    authorizer: functionNamed(authorizerName),
    routes: [{ operation: operations.listPets, handler: functionNamed('list-pets') }],
  });
  return Object.keys(Template.fromStack(stack).findResources('AWS::ApiGateway::Deployment'));
}

it('deploys a changed authorizer, and only that', () => {
  const deployment = deploymentWith('authorizer');

  expect(deployment).toHaveLength(1);
  expect(deploymentWith('authorizer')).toStrictEqual(deployment);
  expect(deploymentWith('another-authorizer')).not.toStrictEqual(deployment);
});
