import { describe, expect, it } from 'vitest';
import { project } from '../../../../bin/local/project.ts';
import { readDeployment } from '../../../../infra/local/template/deployment.ts';
import { list } from '../../../support/contract/own-operations.ts';
import { synthesize } from '../../../support/infra/synthesize.ts';
import { altered, type Resources, resourceOf } from '../../../support/infra/template.ts';

const stack = synthesize('staging');

const path = 'AWS::ApiGateway::Resource';
const gatewayResponse = 'AWS::ApiGateway::GatewayResponse';

it('readDeployment reads the limits of a method, or else those of all methods', () => {
  const limit = (HttpMethod: string, ResourcePath: string, ThrottlingRateLimit: number) => ({
    HttpMethod,
    ResourcePath,
    ThrottlingRateLimit,
    DataTraceEnabled: false,
    ThrottlingBurstLimit: 1,
  });
  const limited = altered(stack, (resources) => {
    const { Properties } = resourceOf(resources, 'AWS::ApiGateway::Stage');
    Properties['MethodSettings'] = [
      limit('GET', `/${list.path.replaceAll('/', '~1')}`, 7),
      limit('*', '/*', 3),
    ];
  });

  const routes = readDeployment(limited, project).routes.filter(
    ({ resourcePath }) => resourcePath === list.path,
  );
  const rates = routes.map((route) => [route.method, route.throttling.rate]);
  expect(Object.fromEntries(rates)).toMatchObject({ GET: 7, POST: 3 });
});

it.each<[message: string, type: string, properties: object]>([
  [`this form of Cors in the ${path} `, path, { Cors: true }],
  [
    'the attribute AWS::Lambda::Alias.Version of Alias',
    path,
    { PathPart: { 'Fn::GetAtt': ['Alias', 'Version'] } },
  ],
  ['The template refers to Nothing, which it does not declare.', path, { PathPart: { Ref: 'Nothing' } }],
  ['The template refers to Nothing before declaring it.', path, { ParentId: 'Nothing' }],
  ['the intrinsic function Fn::If.', path, { PathPart: { 'Fn::If': ['IsBig', 'a', 'b'] } }],
  [
    `this form of ResponseTemplates.application/json in the ${gatewayResponse} `,
    gatewayResponse,
    { ResponseTemplates: { 'application/json': '$context.error.message' } },
  ],
  ['AuthorizerResultTtlInSeconds', 'AWS::ApiGateway::Authorizer', { AuthorizerResultTtlInSeconds: 0 }],
  ['The local API does not support conditions', 'AWS::Lambda::Alias', { Condition: 'IsBig' }],
])('readDeployment names what it does not support: %s', (message, type, change) => {
  const wrong = altered(stack, (resources) => {
    resources['Alias'] = structuredClone(resourceOf(resources, 'AWS::Lambda::Alias'));
    if (type === 'AWS::Lambda::Alias') Object.assign(resources['Alias'], change);
    else Object.assign(resourceOf(resources, type).Properties, change);
  });

  expect(() => readDeployment(wrong, project)).toThrow(message);
});

const listing = (resources: Resources) => {
  const found = Object.values(resources).find(
    ({ Type, Properties: { HttpMethod, OperationName } }) =>
      Type === 'AWS::ApiGateway::Method' && HttpMethod === 'GET' && OperationName === list.operationId,
  );
  if (!found) throw new Error('The template has no list.');
  return found.Properties;
};

const add =
  (Type: string, Properties: Record<string, unknown> = {}) =>
  (resources: Resources) => {
    resources['Added'] = { Type, Properties };
  };

const change = (type: string, properties: object) => (resources: Resources) => {
  Object.assign(resourceOf(resources, type).Properties, properties);
};

/** Changes the function that authorizes requests. */
const changeFunction = (properties: object) => (resources: Resources) => {
  Object.assign(resourceOf(resources, 'AWS::Lambda::Function', 'Authorizer').Properties, properties);
};

const addHealth = (integration: object) => (resources: Resources) => {
  const { RestApiId } = listing(resources);
  resources['Health'] = {
    Type: 'AWS::ApiGateway::Resource',
    Properties: { ParentId: { 'Fn::GetAtt': [Object(RestApiId).Ref, 'RootResourceId'] }, PathPart: 'health' },
  };
  resources['GetHealth'] = {
    Type: 'AWS::ApiGateway::Method',
    Properties: {
      AuthorizationType: 'NONE',
      HttpMethod: 'GET',
      Integration: integration,
      ResourceId: { Ref: 'Health' },
    },
  };
};

const mock = {
  Type: 'MOCK',
  ContentHandling: 'CONVERT_TO_TEXT',
  IntegrationResponses: [{ ContentHandling: 'CONVERT_TO_TEXT', StatusCode: '200' }],
  RequestTemplates: { 'application/json': '{"statusCode":200}' },
};

const fn = 'AWS::Lambda::Function';
const table = 'AWS::DynamoDB::GlobalTable';
const stage = 'AWS::ApiGateway::Stage';

describe('what is added to the stack', () => {
  it.each<[title: string, alter: (resources: Resources) => void]>([
    ['a public method with a mock integration', addHealth(mock)],
    [
      'a public method with a function',
      (resources) => addHealth(Object(listing(resources)['Integration']))(resources),
    ],
    ['another time zone', changeFunction({ Environment: { Variables: { TZ: 'Asia/Tokyo' } } })],
    ['reserved concurrency', changeFunction({ ReservedConcurrentExecutions: 5 })],
    ['another log level', changeFunction({ LoggingConfig: { ApplicationLogLevel: 'DEBUG' } })],
    ["Lambda's default memory and timeout", changeFunction({ MemorySize: undefined, Timeout: undefined })],
    ['provisioned capacity', change(table, { BillingMode: 'PROVISIONED' })],
    ['a function of another runtime that no request reaches', add(fn, { Runtime: 'python3.13' })],
    ['a permission for another service', add('AWS::Lambda::Permission', { Principal: 's3.amazonaws.com' })],
    [
      'a role with a condition that no function of the API has',
      add('AWS::IAM::Role', { Policies: [{ PolicyDocument: { Statement: [{ Condition: {} }] } }] }),
    ],
    ['an alarm', add('AWS::CloudWatch::Alarm')],
  ])('is served: %s', (_title, alter) => {
    expect(readDeployment(altered(stack, alter), project).notEmulated).toEqual([]);
  });

  it.each<[named: string, alter: (resources: Resources) => void]>([
    ['AWS::SQS::Queue', add('AWS::SQS::Queue')],
    ['AWS::S3::Bucket', add('AWS::S3::Bucket')],
    ['AWS::SecretsManager::Secret', add('AWS::SecretsManager::Secret')],
    ['AWS::Lambda::LayerVersion', add('AWS::Lambda::LayerVersion')],
    ['AWS::Lambda::EventSourceMapping', add('AWS::Lambda::EventSourceMapping')],
    ['AWS::ApiGateway::UsagePlan', add('AWS::ApiGateway::UsagePlan')],
    ['Custom::Seed', add('Custom::Seed')],
    [`Layers of ${fn}`, changeFunction({ Layers: ['arn:aws:lambda:us-east-1:1:layer:a:1'] })],
    [`TracingConfig of ${fn}`, changeFunction({ TracingConfig: { Mode: 'Active' } })],
    [`VpcConfig of ${fn}`, changeFunction({ VpcConfig: { SubnetIds: [] } })],
    [`DeadLetterConfig of ${fn}`, changeFunction({ DeadLetterConfig: {} })],
    [
      'ProvisionedConcurrencyConfig of AWS::Lambda::Alias',
      change('AWS::Lambda::Alias', { ProvisionedConcurrencyConfig: {} }),
    ],
    [`TracingEnabled of ${stage}`, change(stage, { TracingEnabled: true })],
    [`StreamSpecification of ${table}`, change(table, { StreamSpecification: {} })],
    [`WarmThroughput of ${table}`, change(table, { WarmThroughput: { ReadUnitsPerSecond: 14_000 } })],
    [`SSESpecification of ${table}`, change(table, { SSESpecification: { SSEEnabled: true } })],
    [
      `GlobalSecondaryIndexes.WarmThroughput of ${table}`,
      (resources) => {
        const tables = Object.values(resources).filter(({ Type }) => Type === table);
        const indexes = tables.flatMap(({ Properties }) => Properties['GlobalSecondaryIndexes'] ?? []);
        for (const index of indexes) Object.assign(Object(index), { WarmThroughput: {} });
      },
    ],
    [
      'Integration.TimeoutInMillis of AWS::ApiGateway::Method',
      (resources) => Object.assign(Object(listing(resources)['Integration']), { TimeoutInMillis: 5000 }),
    ],
  ])('is named because it is not emulated: %s', (named, alter) => {
    expect(readDeployment(altered(stack, alter), project).notEmulated).toEqual([named]);
  });

  it.each<[named: string, alter: (resources: Resources) => void]>([
    ['the resource type AWS::DynamoDB::Table of Added', add('AWS::DynamoDB::Table')],
    ['the resource type AWS::CloudFormation::Stack of Added', add('AWS::CloudFormation::Stack')],
    ['ReservedConcurrentExecutions', changeFunction({ ReservedConcurrentExecutions: 0 })],
    ['Runtime', changeFunction({ Runtime: 'nodejs22.x' })],
    ['FileSystemConfigs', changeFunction({ FileSystemConfigs: [] })],
    [
      'Environment.Variables.PASSWORD',
      changeFunction({ Environment: { Variables: { PASSWORD: '{{resolve:secretsmanager:a}}' } } }),
    ],
    ['CacheClusterEnabled', change(stage, { CacheClusterEnabled: true })],
    ['MinimumCompressionSize', change('AWS::ApiGateway::RestApi', { MinimumCompressionSize: 0 })],
    ['LocalSecondaryIndexes', change(table, { LocalSecondaryIndexes: [] })],
    ['ApiKeyRequired', (resources) => Object.assign(listing(resources), { ApiKeyRequired: true })],
    ['RequestValidatorId', (resources) => Object.assign(listing(resources), { RequestValidatorId: 'a' })],
    ['AuthorizationType', (resources) => Object.assign(listing(resources), { AuthorizationType: 'AWS_IAM' })],
    // AWS responds to each request with a 500.
    ['Integration.ContentHandling', addHealth({ ...mock, ContentHandling: undefined })],
    ['serves one REST API', add('AWS::ApiGateway::RestApi', { BinaryMediaTypes: ['*/*'] })],
  ])('is refused because an answer would be wrong: %s', (named, alter) => {
    expect(() => readDeployment(altered(stack, alter), project)).toThrow(named);
  });

  it('names the file to edit where it is refused', () => {
    const wrong = altered(stack, add('AWS::DynamoDB::Table'));

    expect(() => readDeployment(wrong, project)).toThrow(
      /To serve it, edit infra\/local\/template\/resource-types\.ts\.$/,
    );
  });

  it('counts if it is a policy that is attached to the role of a function', () => {
    const { functions, roles } = readDeployment(stack, project);
    const role = functions[0]?.role ?? '';
    const Statement = [{ Effect: 'Allow', Action: 'dynamodb:Scan', Resource: '*' }];
    const attached = altered(
      stack,
      add('AWS::IAM::Policy', { Roles: [role], PolicyDocument: { Version: '2012-10-17', Statement } }),
    );

    expect(readDeployment(attached, project).roles.get(role)).toEqual([
      ...(roles.get(role) ?? []),
      { Effect: 'Allow', Action: ['dynamodb:Scan'], Resource: ['*'] },
    ]);
  });
});
