import * as v from 'valibot';
import { arn } from './account.ts';
import { PolicyDocument } from './policy.ts';

const text = v.string();

/** The message of an issue with a property that is not emulated. */
export const notEmulatedMessage = 'not emulated';

const NotEmulated = v.pipe(
  v.unknown(),
  v.transform(() => undefined),
  v.check(() => false, notEmulatedMessage),
);

/** Properties that change no response. They are left out, and named. */
const notEmulated = <const Names extends readonly string[]>(...names: Names) =>
  v.entriesFromList(names, v.optional(NotEmulated));

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

const MethodHeader = group(/^method\.response\.header\.([\w-]+)$/);

/** A response of API Gateway itself: headers of fixed text, and a body without variables. */
const fixedResponse = {
  ResponseParameters: v.record(
    group(/^(?:gatewayresponse|method\.response)\.header\.([\w-]+)$/),
    group(/^'(.*)'$/),
  ),
  ResponseTemplates: v.strictObject({ 'application/json': v.pipe(text, v.excludes('$')) }),
  StatusCode: v.pipe(text, v.toNumber()),
};

/** A mock integration's response: it may have neither headers nor a body. */
const mockResponse = {
  ...fixedResponse,
  ResponseParameters: v.optional(fixedResponse.ResponseParameters, {}),
  ResponseTemplates: v.optional(fixedResponse.ResponseTemplates, { 'application/json': '' }),
};

/** What the response of an integration may have, by its status; the value is whether it must. */
const MethodResponse = v.strictObject({
  StatusCode: fixedResponse.StatusCode,
  ResponseParameters: v.optional(v.record(MethodHeader, v.boolean()), {}),
  ...ignored('ResponseModels'),
});

/**
 * With binary media types, a mock integration fails without it.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-payload-encodings-workflow.html
 */
const convertedToText = { ContentHandling: v.literal('CONVERT_TO_TEXT') };

/** CloudFormation would insert a secret or a parameter, which does not exist on this machine. */
const Variables = v.record(text, v.pipe(text, v.excludes('{{resolve:')));

/** A policy of roles of its own stack. */
const AttachedPolicy = v.object({ PolicyDocument, Roles: v.optional(v.array(text), []) });

const KeySchema = v.array(v.strictObject({ AttributeName: text, KeyType: v.picklist(['HASH', 'RANGE']) }));

/** The properties of each type of resource that the local API serves. Any other property is refused. */
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
    ResponseParameters: v.optional(fixedResponse.ResponseParameters, {}),
    ResponseTemplates: v.optional(fixedResponse.ResponseTemplates),
    StatusCode: v.optional(fixedResponse.StatusCode),
    ...ignored('RestApiId'),
  }),
  'AWS::ApiGateway::Method': v.strictObject({
    ApiKeyRequired: v.optional(v.literal(false)),
    AuthorizationType: v.picklist(['CUSTOM', 'NONE']),
    AuthorizerId: v.optional(text),
    HttpMethod: text,
    Integration: v.variant('Type', [
      v.strictObject({
        Type: v.literal('AWS_PROXY'),
        Uri: FunctionUri,
        ...notEmulated('TimeoutInMillis'),
        ...ignored('IntegrationHttpMethod'),
      }),
      v.strictObject({
        Type: v.literal('MOCK'),
        ...convertedToText,
        IntegrationResponses: v.tuple([v.strictObject({ ...convertedToText, ...mockResponse })]),
        PassthroughBehavior: v.optional(v.picklist(['NEVER', 'WHEN_NO_MATCH']), 'WHEN_NO_MATCH'),
        RequestTemplates: v.record(text, text),
        ...notEmulated('TimeoutInMillis'),
      }),
    ]),
    OperationName: v.optional(text),
    MethodResponses: v.optional(v.array(MethodResponse), []),
    ResourceId: text,
    ...notEmulated('RequestModels', 'RequestParameters'),
    ...ignored('RestApiId'),
  }),
  'AWS::ApiGateway::Resource': v.strictObject({ ParentId: text, PathPart: text, ...ignored('RestApiId') }),
  'AWS::ApiGateway::RestApi': v.strictObject({
    BinaryMediaTypes: v.tuple([v.literal('*/*')]),
    ...notEmulated('ApiKeySourceType', 'Description', 'Tags'),
    ...ignored('DisableExecuteApiEndpoint', 'EndpointAccessMode', 'EndpointConfiguration'),
    ...ignored('Name', 'SecurityPolicy'),
  }),
  'AWS::ApiGateway::Stage': v.strictObject({
    CacheClusterEnabled: v.optional(v.literal(false)),
    MethodSettings: v.optional(
      v.array(
        v.strictObject({
          CachingEnabled: v.optional(v.literal(false)),
          HttpMethod: text,
          ResourcePath: text,
          ThrottlingBurstLimit: v.optional(v.number(), Number.POSITIVE_INFINITY),
          ThrottlingRateLimit: v.optional(v.number(), Number.POSITIVE_INFINITY),
          ...ignored('DataTraceEnabled', 'LoggingLevel', 'MetricsEnabled'),
        }),
      ),
      [],
    ),
    StageName: text,
    ...notEmulated('ClientCertificateId', 'Description', 'DocumentationVersion', 'Tags', 'TracingEnabled'),
    ...ignored('AccessLogSetting', 'DeploymentId', 'RestApiId'),
  }),
  'AWS::DynamoDB::GlobalTable': v.strictObject({
    AttributeDefinitions: v.array(
      v.strictObject({ AttributeName: text, AttributeType: v.picklist(['S', 'N', 'B']) }),
    ),
    // Nothing is throttled on this machine.
    BillingMode: v.pipe(
      v.picklist(['PAY_PER_REQUEST', 'PROVISIONED']),
      v.transform(() => 'PAY_PER_REQUEST' as const),
    ),
    GlobalSecondaryIndexes: v.optional(
      v.array(
        v.strictObject({
          IndexName: text,
          KeySchema,
          Projection: v.strictObject({ ProjectionType: v.picklist(['ALL', 'KEYS_ONLY']) }),
          ...notEmulated('ReadOnDemandThroughputSettings', 'ReadProvisionedThroughputSettings'),
          ...notEmulated('WarmThroughput', 'WriteOnDemandThroughputSettings'),
          ...notEmulated('WriteProvisionedThroughputSettings'),
        }),
      ),
    ),
    KeySchema,
    TableName: v.optional(text),
    ...notEmulated('SSESpecification', 'StreamSpecification', 'WarmThroughput'),
    ...notEmulated('WriteOnDemandThroughputSettings', 'WriteProvisionedThroughputSettings'),
    ...ignored('Replicas', 'TimeToLiveSpecification'),
  }),
  'AWS::IAM::Role': v.strictObject({
    Policies: v.optional(v.array(v.strictObject({ PolicyDocument, ...ignored('PolicyName') })), []),
    RoleName: v.optional(text),
    ...ignored('AssumeRolePolicyDocument', 'Description', 'ManagedPolicyArns', 'MaxSessionDuration'),
    ...ignored('Path', 'PermissionsBoundary', 'Tags'),
  }),
  'AWS::IAM::ManagedPolicy': AttachedPolicy,
  'AWS::IAM::Policy': AttachedPolicy,
  'AWS::Lambda::Alias': v.strictObject({
    FunctionName: text,
    FunctionVersion: text,
    Name: text,
    ...notEmulated('ProvisionedConcurrencyConfig', 'RoutingConfig'),
    ...ignored('Description'),
  }),
  'AWS::Lambda::Function': v.strictObject({
    Code: v.object({ S3Key: text }),
    Environment: v.optional(v.strictObject({ Variables: v.optional(Variables, {}) }), {}),
    FunctionName: v.optional(text),
    Handler: text,
    // https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-lambda-function.html
    MemorySize: v.optional(v.number(), 128),
    // With 0, the function never runs.
    ReservedConcurrentExecutions: v.optional(v.pipe(v.number(), v.minValue(1))),
    Role: text,
    Runtime: text,
    Timeout: v.optional(v.number(), 3),
    ...notEmulated('CodeSigningConfigArn', 'DeadLetterConfig', 'EphemeralStorage', 'KmsKeyArn'),
    // A bundle holds what it imports. An import of what only the layer has fails, and names it.
    ...notEmulated('Layers'),
    ...notEmulated('RecursiveLoop', 'RuntimeManagementConfig', 'SnapStart', 'TracingConfig', 'VpcConfig'),
    ...ignored('Architectures', 'Description', 'LoggingConfig', 'Tags'),
  }),
  'AWS::Lambda::Permission': v.strictObject({
    Action: v.literal('lambda:InvokeFunction'),
    FunctionName: text,
    Principal: v.literal('apigateway.amazonaws.com'),
    SourceArn: text,
  }),
} as const;

/**
 * The resource types that would make an answer wrong, if they were ignored. Of API Gateway's, which all take
 * part in a request, those that have no effect by themselves are ignored.
 */
export const refusedTypes =
  /^AWS::(ApiGateway::(?!ApiKey|ClientCertificate|Documentation|Model|RequestValidator|UsagePlan|VpcLink)|CloudFormation::Stack$|DynamoDB::Table$)/;

/** What `Ref` returns, by type, unless it is the generated name; `of` returns a property. */
export const references: Readonly<Record<string, (of: (property: string) => unknown) => unknown>> = {
  'AWS::ApiGateway::Stage': (of) => of('StageName'),
  'AWS::DynamoDB::GlobalTable': (of) => of('TableName'),
  'AWS::IAM::Role': (of) => of('RoleName'),
  'AWS::Lambda::Function': (of) => of('FunctionName'),
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
