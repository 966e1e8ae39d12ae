import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudFormationValidatePlugin } from 'aws-cdk-lib';
import { ResponseType } from 'aws-cdk-lib/aws-apigateway';
import { AwsSolutionsChecks } from 'cdk-nag';
import * as v from 'valibot';
import { afterAll, describe, expect, it } from 'vitest';
import { PolicyDocument } from '../../infra/local/template/policy.ts';
import { petStoreApp } from '../../infra/pet-store-app.ts';
import { operationSettings } from '../../infra/settings/operation-settings.ts';
import { commonHeaders } from '../../shared/contract/common-headers.ts';
import {
  type ErrorCode,
  errorBody,
  errorHeaders,
  errorTable,
} from '../../shared/contract/errors/error-table.ts';
import { type OperationId, operations } from '../../shared/contract/operations.ts';
import { arnOf, readableTemplate, resourcesOf } from '../support/infra/template.ts';

const directory = mkdtempSync(join(tmpdir(), 'pet-store-'));
afterAll(() => rmSync(directory, { recursive: true }));

// A test of its own makes CloudFormation's checks.
const app = petStoreApp(['staging', 'production'], {
  outdir: directory,
  builtinCloudFormationValidation: false,
});
const assembly = app.synth();

/** What stands for a function in a template for the eye: the ARN of its alias. */
const aliasOf = (name: string) => arnOf(`${name}FunctionAliaslive`);

const handlerOf = (operationId: string) => operationId.replace(/^./, (letter) => letter.toUpperCase());
const operationList = Object.values(operations);

/** Every action that a function may take, with what it may take it on, besides writing its own log. */
const permissions = {
  Authorizer: [['dynamodb:GetItem', arnOf('TablesApiKeys')]],
  ListPets: [
    ['dynamodb:Scan', arnOf('TablesPets')],
    ['dynamodb:Query', `${arnOf('TablesPets')}/index/byStatus`],
  ],
  CreatePet: [['dynamodb:PutItem', arnOf('TablesPets')]],
  GetPet: [['dynamodb:GetItem', arnOf('TablesPets')]],
} satisfies Record<'Authorizer' | Capitalize<OperationId>, string[][]>;

const gatewayErrors = {
  ACCESS_DENIED: 'unauthorized',
  API_CONFIGURATION_ERROR: 'internal_error',
  AUTHORIZER_CONFIGURATION_ERROR: 'service_unavailable',
  AUTHORIZER_FAILURE: 'service_unavailable',
  BAD_REQUEST_BODY: 'invalid_body',
  BAD_REQUEST_PARAMETERS: 'invalid_request',
  DEFAULT_4XX: 'invalid_request',
  DEFAULT_5XX: 'internal_error',
  EXPIRED_TOKEN: 'not_found',
  INTEGRATION_FAILURE: 'service_unavailable',
  INTEGRATION_TIMEOUT: 'gateway_timeout',
  INVALID_API_KEY: 'unauthorized',
  INVALID_SIGNATURE: 'not_found',
  MISSING_AUTHENTICATION_TOKEN: 'not_found',
  QUOTA_EXCEEDED: 'too_many_requests',
  REQUEST_TOO_LARGE: 'payload_too_large',
  RESOURCE_NOT_FOUND: 'not_found',
  THROTTLED: 'too_many_requests',
  UNAUTHORIZED: 'unauthorized',
  UNSUPPORTED_MEDIA_TYPE: 'unsupported_media_type',
  WAF_FILTERED: 'invalid_request',
} satisfies Record<string, ErrorCode>;

/** What cdk-nag finds and the service accepts, each for its reason. */
const acceptedFindings = {
  'AwsSolutions-APIG2': {
    reason: 'the functions validate requests: their messages name the field',
    on: ['PetStore/Api/Resource'],
  },
  'AwsSolutions-APIG3': {
    reason: 'a web ACL has a monthly price; API keys and throttling guard the API',
    on: ['PetStore/Api/DeploymentStage.v1/Resource'],
  },
  'AwsSolutions-APIG6': {
    reason: 'the access log and the logs of the functions tell enough; the execution log would hold headers',
    on: ['PetStore/Api/DeploymentStage.v1/Resource'],
  },
  'AwsSolutions-COG4': {
    reason: 'clients are programs with an API key, not users that sign in',
    on: operationList.map(({ path, method }) => `PetStore/Api/Default${path}/${method}/Resource`),
  },
  'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]':
    {
      reason: 'CodeDeploy moves aliases with the managed policy that AWS keeps for that',
      on: ['Releases/Role/Resource'],
    },
  'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]':
    {
      reason: 'API Gateway writes logs with the managed policy that AWS keeps for that',
      on: ['PetStore/Api/CloudWatchRole/Resource'],
    },
};

describe.each([
  {
    stage: 'staging' as const,
    other: 'production',
    isProtected: false,
    expected: { config: 'LambdaAllAtOnce', tablePolicy: 'Delete', logPolicy: 'Delete' },
  },
  {
    stage: 'production' as const,
    other: 'staging',
    isProtected: true,
    expected: {
      config: 'LambdaCanary10Percent15Minutes',
      tablePolicy: 'Retain',
      logPolicy: 'RetainExceptOnCreate',
    },
  },
])('PetStore-$stage', ({ stage, other, isProtected, expected }) => {
  const artifact = assembly.getStackByName(`PetStore-${stage}`);
  const { propertiesOf } = readableTemplate(artifact.template);

  describe('the API', () => {
    it('asks the authorizer about well-formed keys of this stage, and keeps the response for 60 s', () => {
      expect(Object.values(propertiesOf('AWS::ApiGateway::Authorizer'))).toEqual([
        expect.objectContaining({
          Type: 'TOKEN',
          IdentitySource: 'method.request.header.Authorization',
          IdentityValidationExpression: `^[Bb][Ee][Aa][Rr][Ee][Rr] +(petstore_${stage}_[0-9A-Za-z]{38})$`,
          AuthorizerResultTtlInSeconds: 60,
          AuthorizerUri: `arn:Partition:apigateway:Region:lambda:path/2015-03-31/functions/${aliasOf('Authorizer')}/invocations`,
        }),
      ]);
    });

    it('may invoke each function from its one method or authorizer', () => {
      const source = 'arn:Partition:execute-api:Region:AccountId:PetStoreApi';
      const permission = (FunctionName: string, path: string) => ({
        Action: 'lambda:InvokeFunction',
        Principal: 'apigateway.amazonaws.com',
        FunctionName,
        SourceArn: `${source}/${path}`,
      });

      expect(Object.values(propertiesOf('AWS::Lambda::Permission'))).toEqual([
        permission(aliasOf('Authorizer'), 'authorizers/PetStoreAuthorizer'),
        ...operationList.map(({ operationId, method, path }) =>
          permission(
            aliasOf(handlerOf(operationId)),
            `PetStoreApiDeploymentStagev1/${method}${path.replaceAll(/\{\w+\}/g, '*')}`,
          ),
        ),
      ]);
    });

    it('is deployed to a stage v1 that throttles each method, and whose access log has no header of a request', () => {
      const stages = Object.values(propertiesOf('AWS::ApiGateway::Stage'));

      expect(stages).toEqual([
        {
          RestApiId: 'PetStoreApi',
          DeploymentId: expect.stringMatching(/^PetStoreApiDeployment/),
          StageName: 'v1',
          MethodSettings: Object.values(operations).map(({ operationId, method, path }) => ({
            HttpMethod: method,
            ResourcePath: `/${path.replaceAll('/', '~1')}`,
            DataTraceEnabled: false,
            ThrottlingRateLimit: operationSettings[operationId].throttling.rateLimit,
            ThrottlingBurstLimit: operationSettings[operationId].throttling.burstLimit,
          })),
          AccessLogSetting: {
            DestinationArn: 'arn:Partition:logs:Region:AccountId:log-group:PetStoreAccessLogs',
            Format: expect.not.stringMatching(/header|\$context\.(path|identity\.(?!sourceIp))/i),
          },
        },
      ]);
    });
  });

  describe('the gateway responses', () => {
    it('are one for every type that API Gateway has', () => {
      const types = Object.values(ResponseType)
        .filter((type) => type instanceof ResponseType)
        .map(({ responseType }) => responseType);

      expect(Object.keys(gatewayErrors)).toEqual(types.toSorted());
    });

    it('have the status, the body and the headers of the error table', () => {
      const responses = Object.values(propertiesOf('AWS::ApiGateway::GatewayResponse'));

      expect(new Set(responses)).toEqual(
        new Set(
          Object.entries(gatewayErrors).map(([ResponseType, code]) => ({
            RestApiId: 'PetStoreApi',
            ResponseType,
            StatusCode: `${errorTable[code].status}`,
            ResponseTemplates: { 'application/json': errorBody(code) },
            ResponseParameters: Object.fromEntries(
              Object.entries({ ...commonHeaders, ...errorHeaders(code) }).map(([name, value]) => [
                `gatewayresponse.header.${name}`,
                `'${value}'`,
              ]),
            ),
          })),
        ),
      );
    });
  });

  describe('the functions', () => {
    it('run on Node.js 24 and arm64, each with a role and a log group of its own, and log JSON', () => {
      const pets = { PETS_TABLE: 'TablesPets' };
      const apiKeys = { API_KEYS_TABLE: 'TablesApiKeys', STAGE: stage };
      const declaration = (id: string, Variables: Readonly<Record<string, string>>) => ({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        Code: expect.anything(),
        MemorySize: 512,
        Timeout: 5,
        Environment: { Variables },
        Role: arnOf(`${id}Role`),
        LoggingConfig: {
          LogGroup: `${id}Logs`,
          LogFormat: 'JSON',
          ApplicationLogLevel: 'INFO',
          SystemLogLevel: 'INFO',
        },
      });

      expect(propertiesOf('AWS::Lambda::Function')).toEqual({
        AuthorizerFunction: declaration('Authorizer', apiKeys),
        ...Object.fromEntries(
          operationList
            .map(({ operationId }) => handlerOf(operationId))
            .map((id) => [`${id}Function`, declaration(id, pets)]),
        ),
      });
    });

    it.each(Object.entries(permissions))('let %s do what it does, and no more', (id, allowed) => {
      const { [`${id}Role`]: role } = propertiesOf('AWS::IAM::Role');

      expect(role).toEqual({
        AssumeRolePolicyDocument: {
          Version: '2012-10-17',
          Statement: [
            { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'lambda.amazonaws.com' } },
          ],
        },
        Policies: [
          {
            PolicyName: 'function',
            PolicyDocument: { Version: '2012-10-17', Statement: expect.any(Array) },
          },
        ],
      });
      expect(actionsOf(role)).toEqual([
        ['logs:CreateLogStream', arnOf(`${id}Logs`)],
        ['logs:PutLogEvents', arnOf(`${id}Logs`)],
        ...allowed,
      ]);
    });

    it('have no other role or policy beside them than those of API Gateway for logs and of CodeDeploy', () => {
      const roles = new Set(Object.keys(propertiesOf('AWS::IAM::Role')));

      expect(roles).toEqual(
        new Set([
          ...Object.keys(permissions).map((id) => `${id}Role`),
          'PetStoreApiCloudWatchRole',
          'ReleasesRole',
        ]),
      );
      expect(propertiesOf('AWS::IAM::Policy')).toEqual({});
      expect(propertiesOf('AWS::IAM::ManagedPolicy')).toEqual({});
    });
  });

  describe('a release', () => {
    it('moves the alias of every function, by one application and role, until an alarm rings', () => {
      expect(propertiesOf('AWS::CodeDeploy::DeploymentGroup')).toEqual(
        Object.fromEntries(
          Object.keys(permissions).map((name) => [
            `Releases${name}`,
            {
              ApplicationName: 'ReleasesApplication',
              ServiceRoleArn: expect.stringContaining('ReleasesRole'),
              DeploymentConfigName: `CodeDeployDefault.${expected.config}`,
              DeploymentStyle: { DeploymentOption: 'WITH_TRAFFIC_CONTROL', DeploymentType: 'BLUE_GREEN' },
              AlarmConfiguration: {
                Enabled: true,
                Alarms: [{ Name: 'ReleasesAlarmsErrors' }, { Name: 'ReleasesAlarmsFaults' }],
              },
              AutoRollbackConfiguration: {
                Enabled: true,
                Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST', 'DEPLOYMENT_STOP_ON_ALARM'],
              },
            },
          ]),
        ),
      );
    });

    it('is watched minute by minute, well within the time that a canary takes', () => {
      const { ReleasesAlarmsErrors, ReleasesAlarmsFaults } = propertiesOf('AWS::CloudWatch::Alarm');

      for (const alarm of [ReleasesAlarmsErrors, ReleasesAlarmsFaults]) {
        expect(alarm).toMatchObject({ EvaluationPeriods: 1 });
        expect(JSON.stringify(alarm)).not.toMatch(/"Period":(?!60\b)/);
      }
    });
  });

  it('has the two tables, with their keys, the index by status and the time to live', () => {
    const BillingMode = 'PAY_PER_REQUEST';
    const replica = {
      Region: 'Region',
      DeletionProtectionEnabled: isProtected,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      Tags: [
        { Key: 'service', Value: 'pet-store' },
        { Key: 'stage', Value: stage },
      ],
    };

    expect(propertiesOf('AWS::DynamoDB::GlobalTable')).toEqual({
      TablesPets: {
        BillingMode,
        Replicas: [{ ...replica, GlobalSecondaryIndexes: [{ IndexName: 'byStatus' }] }],
        AttributeDefinitions: [
          { AttributeName: 'id', AttributeType: 'N' },
          { AttributeName: 'status', AttributeType: 'S' },
        ],
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        GlobalSecondaryIndexes: [
          {
            IndexName: 'byStatus',
            KeySchema: [
              { AttributeName: 'status', KeyType: 'HASH' },
              { AttributeName: 'id', KeyType: 'RANGE' },
            ],
            Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['name', 'categoryId'] },
          },
        ],
      },
      TablesApiKeys: {
        BillingMode,
        Replicas: [replica],
        AttributeDefinitions: [{ AttributeName: 'keyHash', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'keyHash', KeyType: 'HASH' }],
        TimeToLiveSpecification: { AttributeName: 'purgeAt', Enabled: true },
      },
    });
  });

  it('keeps the tables and logs that it should when they are no longer declared', () => {
    const policies = v.parse(
      v.record(v.string(), v.object({ Type: v.string(), DeletionPolicy: v.optional(v.string()) })),
      resourcesOf(artifact.template),
    );
    const policiesOf = (type: string) =>
      new Set(
        Object.values(policies)
          .filter(({ Type }) => Type === type)
          .map(({ DeletionPolicy }) => DeletionPolicy),
      );

    expect(policiesOf('AWS::DynamoDB::GlobalTable')).toEqual(new Set([expected.tablePolicy]));
    expect(policiesOf('AWS::Logs::LogGroup')).toEqual(new Set([expected.logPolicy]));
    expect(policiesOf('AWS::Lambda::Version')).toEqual(new Set(['Retain']));
    expect(artifact.terminationProtection).toBe(isProtected);
  });

  it('shares nothing with the other stage', () => {
    const template = JSON.stringify(artifact.template);

    expect(template).not.toContain(other);
    expect(template).not.toMatch(/Fn::ImportValue|"Export"/);
    expect(template).not.toMatch(/"(Table|Function|Role|LogGroup|Topic)Name":"/);
    expect(artifact.dependencies.map(({ id }) => id)).toEqual([`PetStore-${stage}.assets`]);
  });

  it('leaves cdk-nag no finding but those that are accepted for a reason', () => {
    const { violations } = new AwsSolutionsChecks(app).validateScope(app.node.findChild(`PetStore-${stage}`));

    const findings = violations.map(({ ruleName, violatingResources }) => [
      ruleName,
      violatingResources.map(({ constructPath }) => constructPath?.replace(`PetStore-${stage}/`, '')),
    ]);
    expect(Object.fromEntries(findings)).toEqual(
      Object.fromEntries(Object.entries(acceptedFindings).map(([rule, { on }]) => [rule, on])),
    );
  });
});

/**
 * What CloudFormation would make anew under another logical id, which comes of the constructs' ids and where they are:
 * whoever renames or moves one of these constructs has to keep its id, with `overrideLogicalId`.
 */
const pinned: Readonly<Record<string, readonly [type: string, loss: string]>> = {
  TablesPetsD2B49199: [
    'AWS::DynamoDB::GlobalTable',
    'the API would find no pet: the old table stays outside the stack',
  ],
  TablesApiKeys330F873D: [
    'AWS::DynamoDB::GlobalTable',
    'no key would be good: the old table stays outside the stack',
  ],
  PetStoreApi0439747D: ['AWS::ApiGateway::RestApi', 'the base address of every client would end'],
  PetStoreAccessLogs821E7380: ['AWS::Logs::LogGroup', 'who called getPet until then is in another log group'],
  MonitoringTopicsPage0A2D9DD2: [
    'AWS::SNS::Topic',
    'whoever confirmed a subscription would no longer be woken',
  ],
  MonitoringTopicsTicket46E75F1C: [
    'AWS::SNS::Topic',
    'whoever confirmed a subscription would get no more tickets',
  ],
};

describe('the logical id', () => {
  const resources = resourcesOf(assembly.getStackByName('PetStore-production').template);

  it.each(Object.entries(pinned))('%s is what it was', (logicalId, [type, loss]) => {
    expect(resources[logicalId]?.Type, `A rename replaces this ${type}: ${loss}.`).toBe(type);
  });

  it('is pinned of every resource that holds data, or that somebody outside knows', () => {
    const types = new Set(Object.values(pinned).map(([type]) => type));
    const found = Object.entries(resources)
      .filter(
        ([logicalId, { Type }]) =>
          types.has(Type) && !Object.keys(permissions).some((id) => logicalId.startsWith(`${id}Logs`)),
      )
      .map(([logicalId]) => logicalId);

    expect(found.toSorted()).toEqual(Object.keys(pinned).toSorted());
  });
});

it('both stacks pass the checks of CloudFormation', { timeout: 120_000 }, () => {
  const { violations } = new CloudFormationValidatePlugin().validate({
    appConstruct: app,
    templatePaths: assembly.stacks.map(({ templateFullPath }) => templateFullPath),
    stackTemplates: assembly.stacks.map(({ hierarchicalId, templateFullPath }) => ({
      stackConstructPath: hierarchicalId,
      templatePath: templateFullPath,
      accountId: undefined,
      region: undefined,
    })),
  });

  expect(violations).toEqual([]);
});

/** What a role allows: each action with each resource that it may be taken on. */
function actionsOf(role: unknown): (readonly [action: string, resource: string])[] {
  const { Policies } = v.parse(v.object({ Policies: v.array(v.object({ PolicyDocument })) }), role);
  return Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
    .filter(({ Effect }) => Effect === 'Allow')
    .flatMap(({ Action, Resource }) =>
      Action.flatMap((action) => Resource.map((resource) => [action, resource] as const)),
    );
}
