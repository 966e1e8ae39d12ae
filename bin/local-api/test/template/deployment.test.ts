import { describe, expect, it } from 'vitest';
import { list } from '../../../../test/support/contract/own-operations.ts';
import { synthesize } from '../../../../test/support/infra/synthesize.ts';
import { altered, type Resources, resourceOf } from '../../../../test/support/infra/template.ts';
import { project } from '../../../local/this-project.ts';
import { readDeployment } from '../../template/deployment.ts';

const stack = synthesize('staging');

const path = 'AWS::ApiGateway::Resource';
const gatewayResponse = 'AWS::ApiGateway::GatewayResponse';
const fn = 'AWS::Lambda::Function';
const table = 'AWS::DynamoDB::GlobalTable';
const stage = 'AWS::ApiGateway::Stage';

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
  expect(Object.fromEntries(rates)).toMatchObject({ GET: 7, HEAD: 3 });
});

type Alter = (resources: Resources) => void;

const add =
  (Type: string, Properties: Record<string, unknown> = {}): Alter =>
  (resources) => {
    resources['Added'] = { Type, Properties };
  };

const change =
  (type: string, properties: object, prefix = ''): Alter =>
  (resources) => {
    Object.assign(resourceOf(resources, type, prefix).Properties, properties);
  };

/** Changes the function that authorizes requests. */
const changeFunction = (properties: object) => change(fn, properties, 'Authorizer');

/** Changes a method with an integration of a type, and that. */
const changeMethod =
  (type: 'AWS_PROXY' | 'MOCK', properties: object, ofIntegration: object = {}): Alter =>
  (resources) => {
    const methods = Object.values(resources).map(({ Properties }) => Properties);
    const method = methods.find(({ Integration }) => Object(Integration).Type === type);
    Object.assign(Object(method), properties);
    Object.assign(Object(method?.['Integration']), ofIntegration);
  };

const newHeader = {
  StatusCode: '405',
  ContentHandling: 'CONVERT_TO_TEXT',
  ResponseParameters: { 'method.response.header.X-New': "'1'" },
};

describe('what is added to the stack', () => {
  it.each<[title: string, alter: Alter]>([
    [
      'a public method with a mock integration',
      changeMethod('MOCK', { AuthorizationType: 'NONE', AuthorizerId: undefined }),
    ],
    ['another time zone', changeFunction({ Environment: { Variables: { TZ: 'Asia/Tokyo' } } })],
    ['reserved concurrency', changeFunction({ ReservedConcurrentExecutions: 5 })],
    ['another log level', changeFunction({ LoggingConfig: { ApplicationLogLevel: 'DEBUG' } })],
    ["Lambda's default memory and timeout", changeFunction({ MemorySize: undefined, Timeout: undefined })],
    ['provisioned capacity', change(table, { BillingMode: 'PROVISIONED' })],
    ['a function of another runtime that no request reaches', add(fn, { Runtime: 'python3.13' })],
    [
      'a role with a condition that no function of the API has',
      add('AWS::IAM::Role', { Policies: [{ PolicyDocument: { Statement: [{ Condition: {} }] } }] }),
    ],
    ['an alarm', add('AWS::CloudWatch::Alarm')],
  ])('is served: %s', (_title, alter) => {
    expect(readDeployment(altered(stack, alter), project).notEmulated).toEqual([]);
  });

  it.each<[named: string, alter: Alter]>([
    ['AWS::SQS::Queue', add('AWS::SQS::Queue')],
    ['AWS::Logs::SubscriptionFilter', add('AWS::Logs::SubscriptionFilter')],
    [
      'AWS::Lambda::Permission of events.amazonaws.com',
      add('AWS::Lambda::Permission', { Principal: 'events.amazonaws.com' }),
    ],
    ['AWS::ApiGateway::UsagePlan', add('AWS::ApiGateway::UsagePlan')],
    [`Layers of ${fn}`, changeFunction({ Layers: ['arn:aws:lambda:us-east-1:1:layer:a:1'] })],
    [
      'ProvisionedConcurrencyConfig of AWS::Lambda::Alias',
      change('AWS::Lambda::Alias', { ProvisionedConcurrencyConfig: {} }),
    ],
    [`TracingEnabled of ${stage}`, change(stage, { TracingEnabled: true })],
    [`StreamSpecification of ${table}`, change(table, { StreamSpecification: {} })],
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
      changeMethod('AWS_PROXY', {}, { TimeoutInMillis: 5000 }),
    ],
  ])('is named because it is not emulated: %s', (named, alter) => {
    expect(readDeployment(altered(stack, alter), project).notEmulated).toEqual([named]);
  });

  it.each<[named: string, alter: Alter]>([
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
    [
      'AuthorizerResultTtlInSeconds',
      change('AWS::ApiGateway::Authorizer', { AuthorizerResultTtlInSeconds: 0 }),
    ],
    ['ApiKeyRequired', changeMethod('AWS_PROXY', { ApiKeyRequired: true })],
    ['RequestValidatorId', changeMethod('AWS_PROXY', { RequestValidatorId: 'a' })],
    ['AuthorizationType', changeMethod('AWS_PROXY', { AuthorizationType: 'AWS_IAM' })],
    // AWS responds to each request with a 500.
    ['Integration.ContentHandling', changeMethod('MOCK', {}, { ContentHandling: undefined })],
    // A deploy fails.
    ['methodResponses lack the status 405.', changeMethod('MOCK', { MethodResponses: [] })],
    [
      'methodResponses lack the header X-New.',
      changeMethod('MOCK', {}, { IntegrationResponses: [newHeader] }),
    ],
    ['serves one REST API', add('AWS::ApiGateway::RestApi', { BinaryMediaTypes: ['*/*'] })],
    [`this form of Cors in the ${path} `, change(path, { Cors: true })],
    [
      `this form of ResponseTemplates.application/json in the ${gatewayResponse} `,
      change(gatewayResponse, { ResponseTemplates: { 'application/json': '$context.error.message' } }),
    ],
    [
      `the attribute ${path}.Version of Added`,
      add(path, { PathPart: { 'Fn::GetAtt': ['Added', 'Version'] } }),
    ],
    ['refers to Nothing, which it does not declare.', change(path, { PathPart: { Ref: 'Nothing' } })],
    [
      'does not support parameters of a template, such as BootstrapVersion.',
      change(path, { PathPart: { Ref: 'BootstrapVersion' } }),
    ],
    [
      'does not support parameters of a template, such as AWS::NoValue.',
      change(path, { PathPart: { Ref: 'AWS::NoValue' } }),
    ],
    ['The template refers to Nothing before declaring it.', change(path, { ParentId: 'Nothing' })],
    ['the intrinsic function Fn::If.', change(path, { PathPart: { 'Fn::If': ['IsBig', 'a', 'b'] } })],
    [
      'The local API does not support conditions',
      (resources) => Object.assign(resourceOf(resources, 'AWS::Lambda::Alias'), { Condition: 'IsBig' }),
    ],
  ])('is refused because an answer would be wrong: %s', (named, alter) => {
    expect(() => readDeployment(altered(stack, alter), project)).toThrow(named);
  });

  it('names the file to edit where it is refused', () => {
    const wrong = altered(stack, add('AWS::DynamoDB::Table'));

    expect(() => readDeployment(wrong, project)).toThrow(
      /To serve it, edit bin\/local-api\/template\/resource-types\.ts\.$/,
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
