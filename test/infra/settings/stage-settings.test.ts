import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { afterAll, describe, expect, it } from 'vitest';
import { readDeployment } from '../../../infra/local/template/deployment.ts';
import { petStoreApp } from '../../../infra/pet-store-app.ts';
import { guardTarget, type Shell } from '../../../infra/settings/deploy-target.ts';
import { type StageSettings, stages } from '../../../infra/settings/stages.ts';
import { operations } from '../../../shared/contract/operations.ts';
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
const artifact = app.synth().getStackByName('PetStore-production');
const { propertiesOf, outputs } = readableTemplate(artifact.template);

it('has no setting that the local API does not know', () => {
  const { routes } = readDeployment({
    stage: 'production',
    name: artifact.stackName,
    template: artifact.template,
    directory: outdir,
    dispose: () => undefined,
  });

  expect(routes).toHaveLength(Object.keys(operations).length);
});

describe('a domain', () => {
  it('is the only way to the API, by the base path v1', () => {
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
    expect(Object.values(propertiesOf('AWS::ApiGateway::BasePathMapping'))).toEqual([
      expect.objectContaining({ BasePath: 'v1', Stage: 'PetStoreApiDeploymentStagev1' }),
    ]);
    expect(outputs).toMatchObject({
      BaseUrl: `https://${name}/v1`,
      DomainTarget: expect.stringContaining('RegionalDomainName'),
    });
  });
});

describe('a restored table', () => {
  it('is used by its name, in place of the one that the stack declared', () => {
    const tableArn = 'arn:aws:dynamodb:eu-central-1:111111111111:table/pets-restored';
    const policy = JSON.stringify(propertiesOf('AWS::IAM::Role')['ListPetsRole']);
    expect(Object.keys(propertiesOf('AWS::DynamoDB::GlobalTable'))).toEqual(['TablesApiKeys']);
    expect(propertiesOf('AWS::Lambda::Function')).toMatchObject({
      GetPetFunction: { Environment: { Variables: { PETS_TABLE: 'pets-restored' } } },
    });
    expect(policy).toContain(`"${tableArn}/index/byStatus"`);
    expect(
      JSON.stringify(propertiesOf('AWS::CloudWatch::Alarm')['MonitoringAlarmsTablesThrottled']),
    ).toContain('"pets-restored"');
    expect(outputs).toMatchObject({ PetsTableName: 'pets-restored' });
  });

  it('is the own table of the stack again, under its name, once it is adopted', () => {
    expect(propertiesOf('AWS::DynamoDB::GlobalTable')).toMatchObject({
      TablesApiKeys: {
        TableName: 'keys-restored',
        Replicas: [
          {
            DeletionProtectionEnabled: true,
            PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
          },
        ],
      },
    });
  });
});

describe('subscribers', () => {
  it('are told by mail or by URL, each of what concerns them', () => {
    expect(Object.values(propertiesOf('AWS::SNS::Subscription'))).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          TopicArn: 'MonitoringTopicsPage',
          Protocol: 'https',
          Endpoint: 'https://pager.example/x',
        }),
        expect.objectContaining({
          TopicArn: 'MonitoringTopicsTicket',
          Protocol: 'email',
          Endpoint: 'team@pets.example',
        }),
      ]),
    );
  });
});

describe('a target', () => {
  const guarded = (shell: Shell, settings: StageSettings = production) => {
    const stack = new Stack(new App({ analyticsReporting: false }), 'PetStore-production');
    guardTarget(stack, settings, shell);
    return stack.node.metadata
      .filter(({ type }) => /^aws:cdk:(error|info|warning)$/.test(type))
      .map(({ type, data }) => [type, data]);
  };

  it.each<[title: string, shell: Shell]>([
    ['account', { CDK_DEFAULT_ACCOUNT: '222222222222', CDK_DEFAULT_REGION: 'eu-central-1' }],
    ['region', { CDK_DEFAULT_ACCOUNT: '111111111111', CDK_DEFAULT_REGION: 'us-east-1' }],
  ])('refuses another %s, in one line', (_title, shell) => {
    expect(guarded(shell)).toEqual([
      [
        'aws:cdk:error',
        `PetStore-production belongs to 111111111111 in eu-central-1, and the shell is in ${shell.CDK_DEFAULT_ACCOUNT} in ${shell.CDK_DEFAULT_REGION}: nothing is deployed.`,
      ],
    ]);
  });

  it.each<[title: string, shell: Shell]>([
    [
      'its own account and region',
      { CDK_DEFAULT_ACCOUNT: '111111111111', CDK_DEFAULT_REGION: 'eu-central-1' },
    ],
    ['a shell without credentials', { CDK_DEFAULT_REGION: 'us-east-1' }],
  ])('takes %s', (_title, shell) => {
    expect(guarded(shell)).toEqual([]);
  });

  it('is the account and region that the assembly is for', () => {
    expect(artifact.environment).toMatchObject(target);
  });

  it('is the shell where there is none, and that is said', () => {
    const shell = { CDK_DEFAULT_ACCOUNT: '222222222222', CDK_DEFAULT_REGION: 'us-east-1' };

    expect(guarded(shell, stages.production)).toEqual([
      [
        'aws:cdk:info',
        "PetStore-production has no target in infra/stages.ts: it is deployed to the shell's 222222222222 in us-east-1.",
      ],
    ]);
  });
});
