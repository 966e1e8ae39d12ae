import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudFormationValidatePlugin } from 'aws-cdk-lib';
import { ResponseType } from 'aws-cdk-lib/aws-apigateway';
import { AwsSolutionsChecks } from 'cdk-nag';
import * as v from 'valibot';
import { afterAll, describe, expect, it } from 'vitest';
import { PolicyDocument } from '../../infra/local/lambda/policy.ts';
import { petStoreApp } from '../../infra/pet-store-app.ts';
import { commonHeaders } from '../../shared/contract/common-headers.ts';
import { type ErrorCode, errorBody, errorHeaders, errorTable } from '../../shared/contract/error-table.ts';
import { type OperationId, operations } from '../../shared/contract/operations.ts';
import { arnOf, readableTemplate } from '../support/infra/template.ts';

const directory = mkdtempSync(join(tmpdir(), 'pet-store-'));
afterAll(() => rmSync(directory, { recursive: true }));

const app = petStoreApp(['staging', 'production'], { outdir: directory });
const assembly = app.synth();

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
  BAD_REQUEST_PARAMETERS: 'invalid_query',
  DEFAULT_4XX: 'not_found',
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
  WAF_FILTERED: 'invalid_query',
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
  'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]':
    {
      reason: 'API Gateway writes logs with the managed policy that AWS keeps for that',
      on: ['PetStore/Api/CloudWatchRole/Resource'],
    },
};

describe.each([
  {
    stage: 'staging',
    other: 'production',
    retentionInDays: 7,
    throttling: { ThrottlingRateLimit: 1000, ThrottlingBurstLimit: 1000 },
    isProtected: false,
    deletionPolicy: 'Delete',
  },
  {
    stage: 'production',
    other: 'staging',
    retentionInDays: 90,
    throttling: { ThrottlingRateLimit: 5000, ThrottlingBurstLimit: 4000 },
    isProtected: true,
    deletionPolicy: 'Retain',
  },
])('PetStore-$stage', ({ stage, other, retentionInDays, throttling, isProtected, deletionPolicy }) => {
  const artifact = assembly.getStackByName(`PetStore-${stage}`);
  const { propertiesOf, typesWithDeletionPolicy, outputs } = readableTemplate(artifact.template);

  describe('the API', () => {
    it('has a name of its own, by which its metrics go', () => {
      expect(propertiesOf('AWS::ApiGateway::RestApi')).toEqual({
        PetStoreApi: { Name: `pet-store-${stage}`, EndpointConfiguration: { Types: ['REGIONAL'] } },
      });
    });

    it('has a method with an authorizer for each operation, and no other', () => {
      const methods = Object.values(propertiesOf('AWS::ApiGateway::Method'));

      expect(methods).toEqual(
        operationList.map(({ operationId, method, path }) => ({
          OperationName: operationId,
          HttpMethod: method,
          RestApiId: 'PetStoreApi',
          ResourceId: `PetStoreApi${path.replaceAll(/\W/g, '')}`,
          AuthorizationType: 'CUSTOM',
          AuthorizerId: 'PetStoreAuthorizer',
          Integration: {
            Type: 'AWS_PROXY',
            IntegrationHttpMethod: 'POST',
            Uri: `arn:Partition:apigateway:Region:lambda:path/2015-03-31/functions/${arnOf(`${handlerOf(operationId)}Function`)}/invocations`,
          },
        })),
      );
    });

    it('asks the authorizer about well-formed keys of this stage, and keeps the answer for 60 s', () => {
      expect(Object.values(propertiesOf('AWS::ApiGateway::Authorizer'))).toEqual([
        expect.objectContaining({
          Type: 'TOKEN',
          IdentitySource: 'method.request.header.Authorization',
          IdentityValidationExpression: `^[Bb][Ee][Aa][Rr][Ee][Rr] +(petstore_${stage}_[0-9A-Za-z]{38})$`,
          AuthorizerResultTtlInSeconds: 60,
          AuthorizerUri: `arn:Partition:apigateway:Region:lambda:path/2015-03-31/functions/${arnOf('AuthorizerFunction')}/invocations`,
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
        permission(arnOf('AuthorizerFunction'), 'authorizers/PetStoreAuthorizer'),
        ...operationList.map(({ operationId, method, path }) =>
          permission(
            arnOf(`${handlerOf(operationId)}Function`),
            `PetStoreApiDeploymentStagev1/${method}${path.replaceAll(/\{\w+\}/g, '*')}`,
          ),
        ),
      ]);
    });

    it('is deployed to a throttled stage v1 whose access log has no header of a request', () => {
      const stages = Object.values(propertiesOf('AWS::ApiGateway::Stage'));

      expect(stages).toEqual([
        {
          RestApiId: 'PetStoreApi',
          DeploymentId: expect.stringMatching(/^PetStoreApiDeployment/),
          StageName: 'v1',
          MethodSettings: [{ HttpMethod: '*', ResourcePath: '/*', DataTraceEnabled: false, ...throttling }],
          AccessLogSetting: {
            DestinationArn: arnOf('PetStoreAccessLogs'),
            Format: JSON.stringify({
              requestId: '$context.requestId',
              time: '$context.requestTime',
              client: '$context.authorizer.client',
              keyId: '$context.authorizer.keyId',
              method: '$context.httpMethod',
              path: '$context.resourcePath',
              status: '$context.status',
              latency: '$context.responseLatency',
              authorizerError: '$context.authorizer.error',
            }),
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
    it('run on Node.js 24 and arm64, each with a role and a log group of its own', () => {
      const pets = { PETS_TABLE: 'TablesPets' };
      const apiKeys = { API_KEYS_TABLE: 'TablesApiKeys', STAGE: stage };
      const declaration = (id: string, Variables: Readonly<Record<string, string>>) => ({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        Code: expect.anything(),
        MemorySize: 512,
        Timeout: 5,
        Environment: {
          Variables,
        },
        Role: arnOf(`${id}Role`),
        LoggingConfig: { LogGroup: `${id}Logs` },
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

    it('keep their logs and the access log for as long as the stage says', () => {
      const retention = { RetentionInDays: retentionInDays };

      expect(propertiesOf('AWS::Logs::LogGroup')).toEqual({
        ...Object.fromEntries(Object.keys(permissions).map((id) => [`${id}Logs`, retention])),
        PetStoreAccessLogs: retention,
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
          { PolicyName: 'function', PolicyDocument: { Version: '2012-10-17', Statement: expect.any(Array) } },
        ],
      });
      expect(actionsOf(role)).toEqual([
        ['logs:CreateLogStream', arnOf(`${id}Logs`)],
        ['logs:PutLogEvents', arnOf(`${id}Logs`)],
        ...allowed,
      ]);
    });

    it('have no other role or policy beside them than the one for logs of API Gateway', () => {
      const roles = Object.keys(propertiesOf('AWS::IAM::Role'));

      expect(roles).toEqual([
        ...Object.keys(permissions).map((id) => `${id}Role`),
        'PetStoreApiCloudWatchRole',
      ]);
      expect(propertiesOf('AWS::IAM::Policy')).toEqual({});
      expect(propertiesOf('AWS::IAM::ManagedPolicy')).toEqual({});
    });
  });

  it('has the two tables, with their keys, the index by status and the time to live', () => {
    const table = {
      BillingMode: 'PAY_PER_REQUEST',
      DeletionProtectionEnabled: isProtected,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    };

    expect(propertiesOf('AWS::DynamoDB::Table')).toEqual({
      TablesPets: {
        ...table,
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
        ...table,
        AttributeDefinitions: [{ AttributeName: 'keyHash', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'keyHash', KeyType: 'HASH' }],
        TimeToLiveSpecification: { AttributeName: 'purgeAt', Enabled: true },
      },
    });
  });

  it(`answers the deletion of its tables and logs with ${deletionPolicy}`, () => {
    const kept = ['AWS::DynamoDB::Table', 'AWS::Logs::LogGroup'];

    const types = typesWithDeletionPolicy(deletionPolicy).filter((type) => kept.includes(type));

    expect(types.toSorted()).toEqual([
      ...Array.from({ length: 2 }, () => 'AWS::DynamoDB::Table'),
      ...Array.from({ length: 5 }, () => 'AWS::Logs::LogGroup'),
    ]);
  });

  it('has the outputs that operators and tests need', () => {
    expect(outputs).toEqual({
      BaseUrl: 'https://PetStoreApi.execute-api.Region.URLSuffix/PetStoreApiDeploymentStagev1',
      PetsTableName: 'TablesPets',
      ApiKeysTableName: 'TablesApiKeys',
      ...(isProtected && { AlarmTopicArn: 'AlarmsTopic' }),
    });
  });

  it('shares nothing with the other stage', () => {
    const template = JSON.stringify(artifact.template);

    expect(template).not.toContain(other);
    expect(template).not.toMatch(/Fn::ImportValue|"Export"/);
    expect(template).not.toMatch(/"(Table|Function|Role|LogGroup|Topic|Alarm)Name":"/);
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

describe('the alarms', () => {
  const { propertiesOf } = readableTemplate(assembly.getStackByName('PetStore-production').template);

  it('tell the operators of production of server errors and of latency', () => {
    const alarm = {
      Namespace: 'AWS/ApiGateway',
      Dimensions: [{ Name: 'ApiName', Value: 'pet-store-production' }],
      ComparisonOperator: 'GreaterThanThreshold',
      Period: 300,
      EvaluationPeriods: 3,
      DatapointsToAlarm: 2,
      TreatMissingData: 'notBreaching',
      AlarmActions: ['AlarmsTopic'],
    };

    expect(propertiesOf('AWS::CloudWatch::Alarm')).toEqual({
      AlarmsServerErrors: { ...alarm, MetricName: '5XXError', Statistic: 'Average', Threshold: 0.01 },
      AlarmsLatency: { ...alarm, MetricName: 'Latency', ExtendedStatistic: 'p99', Threshold: 1000 },
    });
  });

  it('go to a topic to which CloudWatch may publish', () => {
    const policies = Object.values(propertiesOf('AWS::SNS::TopicPolicy'));

    expect(policies).toEqual([
      {
        Topics: ['AlarmsTopic'],
        PolicyDocument: {
          Version: '2012-10-17',
          Statement: expect.arrayContaining([
            {
              Sid: expect.any(String),
              Effect: 'Allow',
              Action: 'sns:Publish',
              Principal: { Service: 'cloudwatch.amazonaws.com' },
              Resource: 'AlarmsTopic',
            },
          ]),
        },
      },
    ]);
  });

  it('are none in staging', () => {
    const staging = readableTemplate(assembly.getStackByName('PetStore-staging').template);

    expect(staging.propertiesOf('AWS::CloudWatch::Alarm')).toEqual({});
    expect(staging.propertiesOf('AWS::SNS::Topic')).toEqual({});
  });
});

it('both stacks pass the checks of CloudFormation', () => {
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
