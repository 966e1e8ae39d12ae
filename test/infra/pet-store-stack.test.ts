import { join } from 'node:path';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { ResponseType } from 'aws-cdk-lib/aws-apigateway';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { petStoreApp } from '../../infra/pet-store-app.ts';
import { ErrorBody } from '../../shared/contract/errors/error-table.ts';
import { temporaryDirectory } from '../support/e2e/temporary-file.ts';
import { readableTemplate } from '../support/infra/template.ts';

const directory = temporaryDirectory();
const app = petStoreApp(['staging', 'production'], {
  outdir: directory,
  builtinCloudFormationValidation: false,
});
const assembly = app.synth();

const functionNames = ['Authorizer', 'ListPets', 'CreatePet', 'GetPet'];

describe.each([
  { stage: 'staging', other: 'production', isProtected: false, config: 'LambdaAllAtOnce' },
  { stage: 'production', other: 'staging', isProtected: true, config: 'LambdaCanary10Percent15Minutes' },
])('PetStore-$stage', ({ stage, other, isProtected, config }) => {
  const artifact = assembly.getStackByName(`PetStore-${stage}`);
  const { propertiesOf } = readableTemplate(artifact.template);

  it.each(functionNames)('shifts the alias of %s, or rolls back when an alarm fires', (name) => {
    expect(propertiesOf('AWS::CodeDeploy::DeploymentGroup')[`Releases${name}`]).toMatchObject({
      DeploymentConfigName: `CodeDeployDefault.${config}`,
      AlarmConfiguration: { Enabled: true },
      AutoRollbackConfiguration: {
        Enabled: true,
        Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST', 'DEPLOYMENT_STOP_ON_ALARM'],
      },
    });
  });

  it('checks every new version before it receives requests', () => {
    const BeforeAllowTrafficHook = { Ref: Match.stringLikeRegexp('^ReleasesCheck') };
    Template.fromJSON(artifact.template).allResources('AWS::Lambda::Alias', {
      UpdatePolicy: { CodeDeployLambdaAliasUpdate: { BeforeAllowTrafficHook } },
    });
  });

  it('backs up and tags its tables, and protects them in production only', () => {
    const table = (AttributeName: string) => ({
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

    const TimeToLiveSpecification = { AttributeName: 'purgeAt', Enabled: true };
    expect(propertiesOf('AWS::DynamoDB::GlobalTable')).toMatchObject({
      TablesPets: table('id'),
      TablesApiKeys: { ...table('keyHash'), TimeToLiveSpecification },
    });
  });

  const kept = isProtected ? 'Retain' : 'Delete';
  it.each([
    ['AWS::DynamoDB::GlobalTable', { DeletionPolicy: kept, UpdateReplacePolicy: kept }],
    ['AWS::Logs::LogGroup', { DeletionPolicy: isProtected ? 'RetainExceptOnCreate' : 'Delete' }],
    ['AWS::Lambda::Version', { DeletionPolicy: 'RetainExceptOnCreate' }],
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

it('fixForward lets CloudFormation itself point every alias at its new version', () => {
  const outdir = join(directory, 'fix');
  const context = { fixForward: 'true' };
  const fix = petStoreApp(['production'], { outdir, context, builtinCloudFormationValidation: false });
  const { template } = fix.synth().getStackByName('PetStore-production');

  const groups = Object.keys(readableTemplate(template).propertiesOf('AWS::CodeDeploy::DeploymentGroup'));
  expect(groups).toEqual(expect.arrayContaining(functionNames.map((name) => `Releases${name}`)));
  Template.fromJSON(template).allResources('AWS::Lambda::Alias', { UpdatePolicy: Match.absent() });
});

describe('either stack', () => {
  const { template } = assembly.getStackByName('PetStore-production');
  const { propertiesOf } = readableTemplate(template);

  it.each(functionNames)('watches only the new version of %s, behind its alias', (name) => {
    const Alarm = v.looseObject({ Metrics: v.array(v.looseObject({ MetricStat: v.optional(v.unknown()) })) });
    const { Metrics } = v.parse(Alarm, propertiesOf('AWS::CloudWatch::Alarm')[`ReleasesAlarms${name}`]);

    const Value = expect.stringMatching(`^${name}FunctionCurrentVersion.*Version$`);
    const ofLambda = [
      { Name: 'ExecutedVersion', Value },
      { Name: 'FunctionName', Value: `${name}Function` },
      { Name: 'Resource', Value: `${name}Function:live` },
    ];
    const metric = (MetricName: string, Dimensions: object[]) => ({ Metric: { MetricName, Dimensions } });
    const stats = Metrics.flatMap(({ MetricStat }) => (MetricStat === undefined ? [] : [MetricStat]));
    expect(stats).toMatchObject([
      metric('Invocations', ofLambda),
      { ...metric('Errors', ofLambda), Stat: 'Sum' },
      { ...metric('Duration', ofLambda), Stat: 'TC(1000:)' },
      metric(`FaultsOf${name}`, [{ Name: 'FunctionVersion', Value }]),
      metric(`RejectionsOf${name}`, [{ Name: 'FunctionVersion', Value }]),
    ]);
  });

  it('lets the API invoke each function only from its methods or authorizer', () => {
    const Permission = v.object({ FunctionName: v.string(), SourceArn: v.string() });
    const permissions = Object.values(propertiesOf('AWS::Lambda::Permission')).map((properties) => {
      const { FunctionName, SourceArn } = v.parse(Permission, properties);
      return `${SourceArn.split('PetStoreApi/')[1]} ${FunctionName.split(':').at(-1)}`;
    });

    const ofPets = permissions.filter((permission) =>
      functionNames.some((name) => permission.includes(` ${name}Function`)),
    );
    expect(ofPets.sort()).toEqual([
      'PetStoreApiDeploymentStagev1/GET/pets ListPetsFunctionAliaslive',
      'PetStoreApiDeploymentStagev1/GET/pets/* GetPetFunctionAliaslive',
      'PetStoreApiDeploymentStagev1/HEAD/pets ListPetsFunctionAliaslive',
      'PetStoreApiDeploymentStagev1/HEAD/pets/* GetPetFunctionAliaslive',
      'PetStoreApiDeploymentStagev1/POST/pets CreatePetFunctionAliaslive',
      'authorizers/PetStoreAuthorizer AuthorizerFunctionAliaslive',
    ]);
  });

  it('logs neither headers nor the raw path of a request', () => {
    const Format = expect.not.stringMatching(/header|\$context\.(path|identity\.(?!sourceIp))/i);
    expect(Object.values(propertiesOf('AWS::ApiGateway::Stage'))).toMatchObject([
      { AccessLogSetting: { Format } },
    ]);
  });

  it('has one error of the table for everything API Gateway reports', () => {
    const types = Object.values(ResponseType).filter((type) => type instanceof ResponseType);
    const Response = v.object({
      ResponseType: v.string(),
      ResponseTemplates: v.object({ 'application/json': v.pipe(v.string(), v.parseJson(), ErrorBody) }),
      StatusCode: v.string(),
    });
    const responses = v.parse(
      v.array(Response),
      Object.values(propertiesOf('AWS::ApiGateway::GatewayResponse')),
    );

    expect(responses.map((response) => response.ResponseType).toSorted()).toEqual(
      types.map(({ responseType }) => responseType).toSorted(),
    );
    for (const { ResponseTemplates, StatusCode } of responses) {
      expect(`${ResponseTemplates['application/json'].status}`).toBe(StatusCode);
    }
  });
});
