import * as v from 'valibot';
import { arn } from './account.ts';
import { PolicyDocument } from './policy.ts';

const text = v.string();

/** Properties that have no effect locally. */
const ignored = <const Names extends readonly string[]>(...names: Names) =>
  v.entriesFromList(names, v.optional(v.unknown()));

/** Text that matches a pattern; its value is the pattern's group. */
const group = (pattern: RegExp) =>
  v.pipe(
    text,
    v.regex(pattern),
    v.transform((value) => value.replace(pattern, '$1')),
  );

const FunctionUri = group(
  /^arn:aws:apigateway:[\w-]+:lambda:path\/2015-03-31\/functions\/(.+)\/invocations$/,
);

/** A response of API Gateway itself: headers of fixed text, and a body without variables. */
const fixedResponse = {
  ResponseParameters: v.record(
    group(/^(?:gatewayresponse|method\.response)\.header\.([\w-]+)$/),
    group(/^'(.*)'$/),
  ),
  ResponseTemplates: v.strictObject({ 'application/json': v.pipe(text, v.excludes('$')) }),
  StatusCode: v.pipe(text, v.toNumber()),
};

/**
 * With binary media types, a mock integration fails without it.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-payload-encodings-workflow.html
 */
const convertedToText = { ContentHandling: v.literal('CONVERT_TO_TEXT') };

const KeySchema = v.array(v.strictObject({ AttributeName: text, KeyType: v.picklist(['HASH', 'RANGE']) }));

/** The properties of each type of resource that the local API serves; any other property is rejected. */
export const supportedTypes = {
  'AWS::ApiGateway::Authorizer': v.strictObject({
    AuthorizerResultTtlInSeconds: v.pipe(v.number(), v.minValue(1)),
    AuthorizerUri: FunctionUri,
    IdentitySource: v.literal('method.request.header.Authorization'),
    IdentityValidationExpression: text,
    RestApiId: text,
    Type: v.literal('TOKEN'),
    ...ignored('Name'),
  }),
  'AWS::ApiGateway::GatewayResponse': v.strictObject({
    ResponseType: text,
    ...fixedResponse,
    ...ignored('RestApiId'),
  }),
  'AWS::ApiGateway::Method': v.strictObject({
    AuthorizationType: v.literal('CUSTOM'),
    AuthorizerId: text,
    HttpMethod: text,
    Integration: v.variant('Type', [
      v.strictObject({ Type: v.literal('AWS_PROXY'), Uri: FunctionUri, ...ignored('IntegrationHttpMethod') }),
      v.strictObject({
        Type: v.literal('MOCK'),
        ...convertedToText,
        IntegrationResponses: v.tuple([v.strictObject({ ...convertedToText, ...fixedResponse })]),
        PassthroughBehavior: v.literal('NEVER'),
        RequestTemplates: v.record(text, text),
      }),
    ]),
    OperationName: v.optional(text),
    ResourceId: text,
    ...ignored('MethodResponses', 'RestApiId'),
  }),
  'AWS::ApiGateway::Resource': v.strictObject({ ParentId: text, PathPart: text, ...ignored('RestApiId') }),
  'AWS::ApiGateway::RestApi': v.strictObject({
    BinaryMediaTypes: v.tuple([v.literal('*/*')]),
    ...ignored('DisableExecuteApiEndpoint', 'EndpointAccessMode', 'EndpointConfiguration'),
    ...ignored('Name', 'SecurityPolicy'),
  }),
  'AWS::ApiGateway::Stage': v.strictObject({
    MethodSettings: v.array(
      v.strictObject({
        DataTraceEnabled: v.literal(false),
        HttpMethod: text,
        ResourcePath: text,
        ThrottlingBurstLimit: v.number(),
        ThrottlingRateLimit: v.number(),
      }),
    ),
    StageName: text,
    ...ignored('AccessLogSetting', 'DeploymentId', 'RestApiId'),
  }),
  'AWS::DynamoDB::GlobalTable': v.strictObject({
    AttributeDefinitions: v.array(
      v.strictObject({ AttributeName: text, AttributeType: v.picklist(['S', 'N', 'B']) }),
    ),
    BillingMode: v.literal('PAY_PER_REQUEST'),
    GlobalSecondaryIndexes: v.optional(
      v.array(
        v.strictObject({
          IndexName: text,
          KeySchema,
          Projection: v.strictObject({ ProjectionType: v.picklist(['ALL', 'KEYS_ONLY']) }),
        }),
      ),
    ),
    KeySchema,
    TableName: v.optional(text),
    ...ignored('Replicas', 'TimeToLiveSpecification'),
  }),
  'AWS::IAM::Role': v.strictObject({
    Policies: v.optional(v.array(v.strictObject({ PolicyDocument, ...ignored('PolicyName') })), []),
    ...ignored('AssumeRolePolicyDocument', 'ManagedPolicyArns', 'PermissionsBoundary'),
  }),
  'AWS::Lambda::Alias': v.strictObject({ FunctionName: text, FunctionVersion: text, Name: text }),
  'AWS::Lambda::Function': v.strictObject({
    Code: v.object({ S3Key: text }),
    Environment: v.strictObject({ Variables: v.record(text, text) }),
    Handler: text,
    LoggingConfig: v.strictObject({
      ApplicationLogLevel: v.literal('INFO'),
      LogFormat: v.literal('JSON'),
      ...ignored('LogGroup', 'SystemLogLevel'),
    }),
    MemorySize: v.number(),
    Role: text,
    Runtime: v.literal('nodejs24.x'),
    Timeout: v.number(),
    ...ignored('Architectures', 'ReservedConcurrentExecutions'),
  }),
  'AWS::Lambda::Permission': v.strictObject({
    Action: v.literal('lambda:InvokeFunction'),
    FunctionName: text,
    Principal: v.literal('apigateway.amazonaws.com'),
    SourceArn: text,
  }),
} as const;

/** The resource types that play no part in serving requests. */
export const ignoredTypes =
  /^AWS::(Budgets|CloudWatch|CodeDeploy|Events|Logs|SNS|SSM|WAFv2|ApiGateway::(Account|BasePathMapping|Deployment|DomainName)|Lambda::Version)(::|$)/;

/** What `Ref` returns, by type, unless it is the generated name; `of` returns a property. */
export const references: Readonly<Record<string, (of: (property: string) => unknown) => unknown>> = {
  'AWS::ApiGateway::Stage': (of) => of('StageName'),
  'AWS::DynamoDB::GlobalTable': (of) => of('TableName'),
  'AWS::Lambda::Alias': (of) => `${arn('lambda', `function:${of('FunctionName')}`)}:${of('Name')}`,
};

/** What `Fn::GetAtt` returns, by type and attribute; `name` is what `Ref` returns. */
export const attributes: Readonly<Record<string, (name: string) => string>> = {
  'AWS::ApiGateway::RestApi.RootResourceId': (name) => `${name}-root`,
  'AWS::ApiGateway::DomainName.RegionalDomainName': (name) => `${name}.execute-api.amazonaws.com`,
  'AWS::DynamoDB::GlobalTable.Arn': (name) => arn('dynamodb', `table/${name}`),
  'AWS::IAM::Role.Arn': (name) => arn('iam', `role/${name}`, ''),
  'AWS::Lambda::Function.Arn': (name) => arn('lambda', `function:${name}`),
  'AWS::Lambda::Version.Version': () => '1',
  'AWS::Logs::LogGroup.Arn': (name) => arn('logs', `log-group:${name}:*`),
};
