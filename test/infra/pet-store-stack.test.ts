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
import { handlers, readableTemplate, resourcesOf, servesRequests } from '../support/infra/template.ts';

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
  const own = Object.entries(resourcesOf(artifact.template)).filter(([id]) => servesRequests(id));
  const ofRequests = Template.fromJSON({ Resources: Object.fromEntries(own) });

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
    ofRequests.allResources('AWS::Lambda::Alias', {
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
    ['AWS::DynamoDB::GlobalTable', template, { DeletionPolicy: kept, UpdateReplacePolicy: kept }],
    ['AWS::Logs::LogGroup', ofRequests, { DeletionPolicy: isProtected ? 'RetainExceptOnCreate' : 'Delete' }],
    ['AWS::Lambda::Version', ofRequests, { DeletionPolicy: 'RetainExceptOnCreate' }],
  ])('keeps each %s as long as it should', (type, declared, policies) => {
    declared.allResources(type, policies);
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
  const groups = Object.keys(template.findResources('AWS::CodeDeploy::DeploymentGroup'));
  expect(groups.length).toBe(handlers.length);
});

describe('either stack', () => {
  const { template } = assembly.getStackByName('PetStore-production');
  const { propertiesOf } = readableTemplate(template);

  it('lets the API invoke each function only from its methods or as its authorizer', () => {
    const Permission = v.object({
      FunctionName: v.string(),
      Principal: v.string(),
      SourceArn: v.optional(v.string()),
    });
    const permissions = v.parse(v.array(Permission), Object.values(propertiesOf('AWS::Lambda::Permission')));

    const invocations = permissions
      .filter(({ Principal }) => Principal === 'apigateway.amazonaws.com')
      .map(({ FunctionName, SourceArn }) => {
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
    const reserved = (name: string) => Object(functions[`${name}Function`]).ReservedConcurrentExecutions;

    for (const operation of Object.values(operations)) {
      const limits = limitsOf(operation, own[operation.operationId].throttling);
      expect(reserved(capitalize(operation.operationId))).toBe(concurrencyOf(limits));
    }
    expect(reserved('Authorizer')).toBeGreaterThan(0);
    expect(reserved('ReleasesCheck')).toBeUndefined();
  });

  it('logs neither headers nor the raw path of a request', () => {
    const Format = expect.not.stringMatching(/header|\$context\.(path|identity\.(?!sourceIp))/i);
    expect(Object.values(propertiesOf('AWS::ApiGateway::Stage'))).toMatchObject([
      { AccessLogSetting: { Format } },
    ]);
  });
});
