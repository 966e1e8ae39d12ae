import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { afterAll, describe, expect, it } from 'vitest';
import { readDeployment } from '../../../infra/local/template/deployment.ts';
import { petStoreApp } from '../../../infra/pet-store-app.ts';
import { guardTarget, type Shell } from '../../../infra/settings/deploy-target.ts';
import { type StageSettings, stages } from '../../../infra/settings/stages.ts';
import { arnOf, readableTemplate } from '../../support/infra/template.ts';

const name = 'api.pets.example';
const certificateArn = arnOf('certificate');

const outdir = mkdtempSync(join(tmpdir(), 'pet-store-'));
afterAll(() => rmSync(outdir, { recursive: true }));
const target = { account: '111111111111', region: 'eu-central-1' };
/** Every setting that a stage may go without. */
const production: StageSettings = {
  ...stages.production,
  target,
  domain: { name, certificateArn },
  restoredTables: { pets: 'pets-restored' },
  adoptedTables: { apiKeys: 'keys-restored' },
  alarms: { page: [{ url: 'https://pager.example/x' }], ticket: [{ email: 'team@pets.example' }] },
};
const app = petStoreApp(['production'], {
  outdir,
  settings: { ...stages, production },
  shell: {},
  builtinCloudFormationValidation: false,
});
const { template, stackName, environment } = app.synth().getStackByName('PetStore-production');
const { propertiesOf, outputs } = readableTemplate(template);

it('no setting is unknown to the local API', () => {
  const stack = { stage: 'production', name: stackName, template, directory: outdir } as const;

  expect(() => readDeployment({ ...stack, dispose: () => undefined })).not.toThrow();
});

it('a domain is the only way to the API, by the base path v1', () => {
  expect(propertiesOf('AWS::ApiGateway::RestApi')).toMatchObject({
    PetStoreApi: { DisableExecuteApiEndpoint: true },
  });
  expect(Object.values(propertiesOf('AWS::ApiGateway::DomainName'))).toEqual([
    {
      DomainName: name,
      EndpointConfiguration: { Types: ['REGIONAL'] },
      RegionalCertificateArn: certificateArn,
      SecurityPolicy: 'TLS_1_2',
    },
  ]);
  expect(Object.values(propertiesOf('AWS::ApiGateway::BasePathMapping'))).toMatchObject([
    { BasePath: 'v1', Stage: 'PetStoreApiDeploymentStagev1' },
  ]);
  expect(outputs).toMatchObject({
    BaseUrl: `https://${name}/v1`,
    DomainTarget: expect.stringContaining('RegionalDomainName'),
  });
});

it('a restored table is used by its name, and an adopted one is declared under its name, protected', () => {
  const tableArn = 'arn:aws:dynamodb:eu-central-1:111111111111:table/pets-restored';
  const { ListPetsRole } = propertiesOf('AWS::IAM::Role');
  const { MonitoringAlarmsTablesThrottled } = propertiesOf('AWS::CloudWatch::Alarm');

  expect(propertiesOf('AWS::Lambda::Function')).toMatchObject({
    GetPetFunction: { Environment: { Variables: { PETS_TABLE: 'pets-restored' } } },
  });
  expect(JSON.stringify(ListPetsRole)).toContain(`"${tableArn}/index/byStatus"`);
  expect(JSON.stringify(MonitoringAlarmsTablesThrottled)).toContain('"pets-restored"');
  expect(outputs).toMatchObject({ PetsTableName: 'pets-restored' });
  expect(propertiesOf('AWS::DynamoDB::GlobalTable')).toEqual({
    TablesApiKeys: expect.objectContaining({
      TableName: 'keys-restored',
      Replicas: [expect.objectContaining({ DeletionProtectionEnabled: true })],
    }),
  });
});

it('subscribers are told by mail or by URL, each of what concerns them', () => {
  const subscriptions = Object.values(propertiesOf('AWS::SNS::Subscription'));

  expect(new Set(subscriptions)).toEqual(
    new Set([
      { TopicArn: 'MonitoringTopicsPage', Protocol: 'https', Endpoint: 'https://pager.example/x' },
      { TopicArn: 'MonitoringTopicsTicket', Protocol: 'email', Endpoint: 'team@pets.example' },
    ]),
  );
});

describe('a target', () => {
  const own = { CDK_DEFAULT_ACCOUNT: target.account, CDK_DEFAULT_REGION: target.region };
  const said = (shell: Shell, settings: StageSettings = production) => {
    const stack = new Stack(new App({ analyticsReporting: false }), 'PetStore-production');
    guardTarget(stack, settings, shell);
    return stack.node.metadata
      .filter(({ type }) => /^aws:cdk:(error|info|warning)$/.test(type))
      .map(({ type, data }) => `${type} ${data}`);
  };

  it.each([
    { ...own, CDK_DEFAULT_ACCOUNT: '222222222222' },
    { ...own, CDK_DEFAULT_REGION: 'us-east-1' },
  ])('refuses another account or region in one line: %j', (shell) => {
    expect(said(shell)).toEqual([
      `aws:cdk:error PetStore-production belongs to 111111111111 in eu-central-1, and the shell is in ${shell.CDK_DEFAULT_ACCOUNT} in ${shell.CDK_DEFAULT_REGION}: nothing is deployed.`,
    ]);
  });

  it('takes its own account and region, which the assembly is for, and a shell without credentials', () => {
    expect(environment).toMatchObject(target);
    expect([said(own), said({ CDK_DEFAULT_REGION: 'us-east-1' })]).toEqual([[], []]);
  });

  it('is the shell where there is none, and that is said', () => {
    expect(said(own, stages.production)).toEqual([
      "aws:cdk:info PetStore-production has no target in infra/settings/stages.ts: it is deployed to the shell's 111111111111 in eu-central-1.",
    ]);
  });
});
