import { Match, Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { petStoreApp } from '../../infra/pet-store-app.ts';
import { concurrencyOf, limitsOf } from '../../infra/settings/concurrency.ts';
import {
  type OperationSettings,
  operationSettings,
  otherMethodsThrottling,
  type Throttling,
} from '../../infra/settings/limits-and-permissions.ts';
import { capitalize } from '../../infra/stack-names.ts';
import { type OperationId, operations } from '../../shared/service.ts';
import { temporaryDirectory } from '../support/e2e/temporary-file.ts';
import { leastSettings, productionSettings } from '../support/infra/stage-settings.ts';
import { synthesize } from '../support/infra/synthesize.ts';
import { readableTemplate } from '../support/infra/template.ts';

// Each limit differs from all others, so that none can stand for another.
const own: Record<OperationId, OperationSettings> = { ...operationSettings };
for (const [index, { operationId }] of Object.values(operations).entries()) {
  const throttling = { rateLimit: 21 + 10 * index, burstLimit: 40 + index };
  own[operationId] = { ...own[operationId], throttling };
}

const assembly = petStoreApp(
  { staging: leastSettings, production: productionSettings },
  { operationSettings: own, outdir: temporaryDirectory(), builtinCloudFormationValidation: false },
).synth();

describe.each([
  { stage: 'staging', other: 'production', isProtected: false, config: 'LambdaAllAtOnce' },
  { stage: 'production', other: 'staging', isProtected: true, config: 'LambdaCanary10Percent15Minutes' },
])('PetStore-$stage', ({ stage, other, isProtected, config }) => {
  const artifact = assembly.getStackByName(`PetStore-${stage}`);
  const template = Template.fromJSON(artifact.template);
  const { propertiesOf } = readableTemplate(artifact.template);

  it('shifts every alias, and rolls all of them back when one alarm fires', () => {
    const alarms = Object.keys(template.findResources('AWS::CloudWatch::Alarm'));
    const ofReleases = alarms.filter((id) => id.startsWith('Releases'));

    template.allResourcesProperties('AWS::CodeDeploy::DeploymentGroup', {
      DeploymentConfigName: `CodeDeployDefault.${config}`,
      AlarmConfiguration: { Enabled: true, Alarms: ofReleases.map((Ref) => ({ Name: { Ref } })) },
      AutoRollbackConfiguration: {
        Enabled: true,
        Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST', 'DEPLOYMENT_STOP_ON_ALARM'],
      },
    });
  });

  it('checks every new version before it receives requests', () => {
    const BeforeAllowTrafficHook = { Ref: Match.stringLikeRegexp('^ReleasesCheck') };
    template.allResources('AWS::Lambda::Alias', {
      UpdatePolicy: { CodeDeployLambdaAliasUpdate: { BeforeAllowTrafficHook } },
    });
  });

  it('backs up and tags its tables, and protects them in production only', () => {
    const Tags = [
      { Key: 'service', Value: 'pet-store' },
      { Key: 'stage', Value: stage },
    ];
    const replica = {
      DeletionProtectionEnabled: isProtected,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      Tags,
    };
    const tables = propertiesOf('AWS::DynamoDB::GlobalTable');

    expect(tables).toHaveProperty('TablesApiKeys.TimeToLiveSpecification', {
      AttributeName: 'purgeAt',
      Enabled: true,
    });
    for (const table of Object.values(tables)) expect(table).toMatchObject({ Replicas: [replica] });
  });

  const kept = isProtected ? 'Retain' : 'Delete';
  it.each([
    ['AWS::DynamoDB::GlobalTable', { DeletionPolicy: kept, UpdateReplacePolicy: kept }],
    ['AWS::Logs::LogGroup', { DeletionPolicy: isProtected ? 'RetainExceptOnCreate' : 'Delete' }],
    ['AWS::Lambda::Version', { DeletionPolicy: 'RetainExceptOnCreate' }],
  ])('has %s with %j', (type, policies) => {
    template.allResources(type, policies);
  });

  it('has a web ACL and is protected from deletion in production only', () => {
    expect(Object.keys(propertiesOf('AWS::WAFv2::WebACL'))).toEqual(isProtected ? ['PetStoreWebAcl'] : []);
    expect(artifact.terminationProtection).toBe(isProtected);
  });

  it('shares nothing with the other stage', () => {
    const text = JSON.stringify(artifact.template);

    expect(text).not.toContain(other);
    expect(text).not.toMatch(/Fn::ImportValue|"Export"/);
    expect(text).not.toMatch(/"(Table|Function|Role|LogGroup|Topic)Name":"/);
  });
});

it('fixForward lets CloudFormation itself point every alias at its new version', () => {
  const stack = synthesize('production', { context: { fixForward: 'true' } });

  const template = Template.fromJSON(Object(stack.template));
  template.allResources('AWS::Lambda::Alias', { UpdatePolicy: Match.absent() });
  const aliases = Object.keys(template.findResources('AWS::Lambda::Alias'));
  template.resourceCountIs('AWS::CodeDeploy::DeploymentGroup', aliases.length);
});

describe('either stack', () => {
  const { template } = assembly.getStackByName('PetStore-production');
  const { propertiesOf } = readableTemplate(template);

  it('lets the API invoke each function only from its methods or as its authorizer', () => {
    const Permission = v.object({ FunctionName: v.string(), SourceArn: v.optional(v.string()) });
    const permissions = v.parse(v.array(Permission), Object.values(propertiesOf('AWS::Lambda::Permission')));

    const invocations = permissions.map(({ FunctionName, SourceArn }) => {
      return `${SourceArn?.split('PetStoreApi/')[1]} ${FunctionName.split(':').at(-1)}`;
    });
    const ofOperations = Object.values(operations).flatMap(({ operationId, method, path }) => {
      // HEAD runs the function of GET.
      const methods = method === 'GET' ? ['GET', 'HEAD'] : [method];
      const to = `${path.replaceAll(/\{\w+\}/g, '*')} ${capitalize(operationId)}FunctionAliaslive`;
      return methods.map((each) => `PetStoreApiDeploymentStagev1/${each}${to}`);
    });
    const ofAuthorizer = 'authorizers/PetStoreAuthorizer AuthorizerFunctionAliaslive';
    expect(invocations.toSorted()).toEqual([...ofOperations, ofAuthorizer].toSorted());
  });

  it('limits each method as the settings say, and all others together', () => {
    const limited = (ResourcePath: string, HttpMethod: string, { rateLimit, burstLimit }: Throttling) =>
      expect.objectContaining({
        ResourcePath,
        HttpMethod,
        ThrottlingRateLimit: rateLimit,
        ThrottlingBurstLimit: burstLimit,
      });

    const expected = Object.values(operations).map(({ operationId, method, path }) =>
      limited(`/${path.replaceAll('/', '~1')}`, method, own[operationId].throttling),
    );
    expect(Object.values(propertiesOf('AWS::ApiGateway::Stage'))).toMatchObject([
      { MethodSettings: [limited('/*', '*', otherMethodsThrottling), ...expected] },
    ]);
  });

  it('reserves for each function the concurrency that its limits need', () => {
    const functions = propertiesOf('AWS::Lambda::Function');
    const reserved = Object.entries(functions).flatMap(([name, properties]) => {
      const { ReservedConcurrentExecutions = 'none' } = Object(properties);
      return name === 'AuthorizerFunction' ? [] : [[name, ReservedConcurrentExecutions]];
    });

    const expected = Object.values(operations).map((operation) => {
      const { throttling } = own[operation.operationId];
      return [`${capitalize(operation.operationId)}Function`, concurrencyOf(limitsOf(operation, throttling))];
    });
    expect(Object.fromEntries(reserved)).toEqual({
      ...Object.fromEntries(expected),
      ReleasesCheckFunction: 'none',
    });
    expect(functions['AuthorizerFunction']).toHaveProperty('ReservedConcurrentExecutions');
  });

  it('logs neither headers nor the raw path of a request', () => {
    const Format = expect.not.stringMatching(/header|\$context\.(path|identity\.(?!sourceIp))/i);
    expect(Object.values(propertiesOf('AWS::ApiGateway::Stage'))).toMatchObject([
      { AccessLogSetting: { Format } },
    ]);
  });
});
