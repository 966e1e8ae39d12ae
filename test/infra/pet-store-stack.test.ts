import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { ResponseType } from 'aws-cdk-lib/aws-apigateway';
import * as v from 'valibot';
import { afterAll, describe, expect, it } from 'vitest';
import { petStoreApp } from '../../infra/pet-store-app.ts';
import { operations } from '../../shared/contract/operations.ts';
import { readableTemplate, resourcesOf } from '../support/infra/template.ts';

const directory = mkdtempSync(join(tmpdir(), 'pet-store-'));
afterAll(() => rmSync(directory, { recursive: true }));

const app = petStoreApp(['staging', 'production'], {
  outdir: directory,
  builtinCloudFormationValidation: false,
});
const assembly = app.synth();
const operationList = Object.values(operations);

const Permission = v.object({ FunctionName: v.string(), SourceArn: v.string() });

const functionNames = [
  'Authorizer',
  ...operationList.map(({ operationId }) => operationId.replace(/^./, (letter) => letter.toUpperCase())),
];

describe.each([
  {
    stage: 'staging' as const,
    other: 'production',
    isProtected: false,
    config: 'LambdaAllAtOnce',
    deletionPolicies: { tables: 'Delete', logs: 'Delete' },
  },
  {
    stage: 'production' as const,
    other: 'staging',
    isProtected: true,
    config: 'LambdaCanary10Percent15Minutes',
    deletionPolicies: { tables: 'Retain', logs: 'RetainExceptOnCreate' },
  },
])('PetStore-$stage', ({ stage, other, isProtected, config, deletionPolicies }) => {
  const artifact = assembly.getStackByName(`PetStore-${stage}`);
  const { propertiesOf } = readableTemplate(artifact.template);
  const tables = propertiesOf('AWS::DynamoDB::GlobalTable');

  it.each(functionNames)('shifts the alias of %s, or rolls back when an alarm fires', (name) => {
    expect(propertiesOf('AWS::CodeDeploy::DeploymentGroup')[`Releases${name}`]).toMatchObject({
      DeploymentConfigName: `CodeDeployDefault.${config}`,
      AlarmConfiguration: {
        Enabled: true,
        Alarms: [
          { Name: 'ReleasesAlarmsErrors' },
          { Name: `ReleasesAlarms${name}Errors` },
          { Name: `ReleasesAlarms${name}Duration` },
        ],
      },
      AutoRollbackConfiguration: {
        Enabled: true,
        Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST', 'DEPLOYMENT_STOP_ON_ALARM'],
      },
    });
  });

  it.each(functionNames)('watches the new version of %s, behind its alias', (name) => {
    const { Metrics } = v.parse(
      v.object({ Metrics: v.array(v.looseObject({ Id: v.string() })) }),
      propertiesOf('AWS::CloudWatch::Alarm')[`ReleasesAlarms${name}Errors`],
    );

    expect(Metrics.find(({ Id }) => Id === 'invocations')).toMatchObject({
      MetricStat: {
        Metric: {
          Namespace: 'AWS/Lambda',
          Dimensions: [
            {
              Name: 'ExecutedVersion',
              Value: expect.stringMatching(`^${name}FunctionCurrentVersion.*Version$`),
            },
            { Name: 'FunctionName', Value: `${name}Function` },
            { Name: 'Resource', Value: `${name}Function:live` },
          ],
        },
      },
    });
  });

  it('checks every new version before it receives requests', () => {
    const aliases = Object.values(resourcesOf(artifact.template)).filter(
      ({ Type }) => Type === 'AWS::Lambda::Alias',
    );

    expect(aliases).toMatchObject(
      functionNames.map(() => ({
        UpdatePolicy: {
          CodeDeployLambdaAliasUpdate: {
            BeforeAllowTrafficHook: { Ref: expect.stringMatching('^ReleasesCheck') },
          },
        },
      })),
    );
  });

  it.each([
    ['TablesPets', 'id'],
    ['TablesApiKeys', 'keyHash'],
  ])('keeps %s by %s, with backups, tags and protection in production only', (logicalId, AttributeName) => {
    expect(tables[logicalId]).toMatchObject({
      KeySchema: [{ AttributeName, KeyType: 'HASH' }],
      Replicas: [
        {
          DeletionProtectionEnabled: isProtected,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
          Tags: [
            { Key: 'service', Value: 'pet-store' },
            { Key: 'stage', Value: stage },
          ],
        },
      ],
    });
  });

  it('deletes keys once they can be purged', () => {
    expect(tables['TablesApiKeys']).toMatchObject({
      TimeToLiveSpecification: { AttributeName: 'purgeAt', Enabled: true },
    });
  });

  it.each([
    [
      'AWS::DynamoDB::GlobalTable',
      { DeletionPolicy: deletionPolicies.tables, UpdateReplacePolicy: deletionPolicies.tables },
    ],
    ['AWS::Logs::LogGroup', { DeletionPolicy: deletionPolicies.logs }],
    ['AWS::Lambda::Version', { DeletionPolicy: 'Retain' }],
  ])('has %s with %j', (type, policies) => {
    Template.fromJSON(artifact.template).allResources(type, policies);
  });

  it('has a web ACL and is protected from deletion in production only', () => {
    expect(Object.keys(propertiesOf('AWS::WAFv2::WebACL'))).toEqual(isProtected ? ['PetStoreWebAcl'] : []);
    expect(artifact.terminationProtection).toBe(isProtected);
  });

  it('shares nothing with the other stage', () => {
    const template = JSON.stringify(artifact.template);

    expect(template).not.toContain(other);
    expect(template).not.toMatch(/Fn::ImportValue|"Export"/);
    expect(template).not.toMatch(/"(Table|Function|Role|LogGroup|Topic)Name":"/);
    expect(artifact.dependencies.map(({ id }) => id)).toEqual([`PetStore-${stage}.assets`]);
  });
});

describe('either stack', () => {
  const artifact = assembly.getStackByName('PetStore-production');
  const { propertiesOf } = readableTemplate(artifact.template);

  it('lets the API invoke each function from its own methods or authorizer', () => {
    const permissions = Object.values(propertiesOf('AWS::Lambda::Permission')).map((properties) => {
      const { FunctionName, SourceArn } = v.parse(Permission, properties);
      return `${SourceArn.split('PetStoreApi/')[1]} ${FunctionName.split(':').at(-1)}`;
    });

    expect(permissions.sort()).toEqual([
      'PetStoreApiDeploymentStagev1/GET/pets ListPetsFunctionAliaslive',
      'PetStoreApiDeploymentStagev1/GET/pets/* GetPetFunctionAliaslive',
      'PetStoreApiDeploymentStagev1/HEAD/pets ListPetsFunctionAliaslive',
      'PetStoreApiDeploymentStagev1/HEAD/pets/* GetPetFunctionAliaslive',
      'PetStoreApiDeploymentStagev1/POST/pets CreatePetFunctionAliaslive',
      'authorizers/PetStoreAuthorizer AuthorizerFunctionAliaslive',
    ]);
  });

  it('takes bodies as binary, over TLS 1.2 with forward secrecy or TLS 1.3, for its own host name', () => {
    expect(propertiesOf('AWS::ApiGateway::RestApi')).toMatchObject({
      PetStoreApi: {
        BinaryMediaTypes: ['*/*'],
        SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09',
        EndpointAccessMode: 'STRICT',
      },
    });
  });

  it('logs neither headers nor the raw path of a request', () => {
    expect(Object.values(propertiesOf('AWS::ApiGateway::Stage'))).toMatchObject([
      {
        AccessLogSetting: {
          Format: expect.not.stringMatching(/header|\$context\.(path|identity\.(?!sourceIp))/i),
        },
      },
    ]);
  });

  it("logs functions' lines as JSON", () => {
    Template.fromJSON(artifact.template).allResourcesProperties('AWS::Lambda::Function', {
      LoggingConfig: { LogFormat: 'JSON', ApplicationLogLevel: 'INFO', SystemLogLevel: 'INFO' },
    });
  });

  it("has a response of its own for every type of API Gateway's", () => {
    const types = Object.values(ResponseType).flatMap((type) =>
      type instanceof ResponseType ? [type.responseType] : [],
    );
    const declared = Object.values(propertiesOf('AWS::ApiGateway::GatewayResponse'));

    expect(declared.map((properties) => Object(properties).ResponseType).sort()).toEqual(types.sort());
  });
});
