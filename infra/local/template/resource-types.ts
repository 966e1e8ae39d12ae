import * as v from 'valibot';
import { arn } from './account.ts';
import { PolicyDocument } from './policy.ts';

/** A property that makes no difference on one machine. */
const ignored = v.optional(v.unknown());
const text = v.string();

const KeySchema = v.array(v.strictObject({ AttributeName: text, KeyType: v.picklist(['HASH', 'RANGE']) }));

/** The ARN of the function that an integration invokes. */
const FunctionUri = v.pipe(
  text,
  v.regex(/:lambda:path\/2015-03-31\/functions\/.+\/invocations$/),
  v.transform((uri) => uri.replace(/^.*\/functions\/(.+)\/invocations$/, '$1')),
);

/** What API Gateway itself responds with: headers of fixed text, and a body without variables. */
const fixedResponse = {
  ResponseParameters: v.record(
    v.pipe(
      text,
      v.regex(/^(gatewayresponse|method\.response)\.header\.[\w-]+$/),
      v.transform((parameter) => parameter.replace(/^.*\./, '')),
    ),
    v.pipe(
      text,
      v.regex(/^'.*'$/),
      v.transform((expression) => expression.slice(1, -1)),
    ),
  ),
  ResponseTemplates: v.strictObject({ 'application/json': v.pipe(text, v.excludes('$')) }),
  StatusCode: v.pipe(text, v.transform(Number)),
};

/** The properties of each type of resource that the local API serves; a property not named here is refused. */
export const supportedTypes = {
  'AWS::ApiGateway::Authorizer': v.strictObject({
    AuthorizerResultTtlInSeconds: v.number(),
    AuthorizerUri: FunctionUri,
    IdentitySource: v.literal('method.request.header.Authorization'),
    IdentityValidationExpression: v.pipe(
      text,
      v.transform((expression) => new RegExp(expression)),
    ),
    Name: ignored,
    RestApiId: text,
    Type: v.literal('TOKEN'),
  }),
  'AWS::ApiGateway::GatewayResponse': v.strictObject({
    ...fixedResponse,
    ResponseType: text,
    RestApiId: text,
  }),
  'AWS::ApiGateway::Method': v.strictObject({
    AuthorizationType: v.literal('CUSTOM'),
    AuthorizerId: text,
    HttpMethod: text,
    Integration: v.variant('Type', [
      v.strictObject({
        IntegrationHttpMethod: v.literal('POST'),
        Type: v.literal('AWS_PROXY'),
        Uri: FunctionUri,
      }),
      v.strictObject({
        Type: v.literal('MOCK'),
        // With binary media types, a mock integration fails without it.
        // https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-payload-encodings-workflow.html
        ContentHandling: v.literal('CONVERT_TO_TEXT'),
        IntegrationResponses: v.tuple([
          v.strictObject({ ContentHandling: v.literal('CONVERT_TO_TEXT'), ...fixedResponse }),
        ]),
        PassthroughBehavior: v.literal('NEVER'),
        RequestTemplates: v.record(text, text),
      }),
    ]),
    MethodResponses: ignored,
    OperationName: ignored,
    ResourceId: text,
    RestApiId: text,
  }),
  'AWS::ApiGateway::Resource': v.strictObject({ ParentId: text, PathPart: text, RestApiId: text }),
  'AWS::ApiGateway::RestApi': v.strictObject({
    BinaryMediaTypes: v.optional(v.array(text), []),
    DisableExecuteApiEndpoint: ignored,
    EndpointAccessMode: ignored,
    EndpointConfiguration: ignored,
    Name: ignored,
    SecurityPolicy: ignored,
  }),
  'AWS::ApiGateway::Stage': v.strictObject({
    AccessLogSetting: v.strictObject({ DestinationArn: ignored, Format: text }),
    DeploymentId: ignored,
    MethodSettings: v.array(
      v.strictObject({
        DataTraceEnabled: v.literal(false),
        HttpMethod: text,
        ResourcePath: text,
        ThrottlingBurstLimit: v.number(),
        ThrottlingRateLimit: v.number(),
      }),
    ),
    RestApiId: text,
    StageName: text,
    TracingEnabled: ignored,
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
          Projection: v.strictObject({
            ProjectionType: v.picklist(['ALL', 'INCLUDE', 'KEYS_ONLY']),
            NonKeyAttributes: v.optional(v.array(text)),
          }),
        }),
      ),
    ),
    KeySchema,
    Replicas: ignored,
    TableName: v.optional(text),
    TimeToLiveSpecification: ignored,
  }),
  'AWS::IAM::Role': v.strictObject({
    AssumeRolePolicyDocument: ignored,
    Policies: v.optional(v.array(v.strictObject({ PolicyDocument, PolicyName: text })), []),
    ManagedPolicyArns: v.optional(v.array(text), []),
  }),
  'AWS::Lambda::Alias': v.strictObject({ FunctionName: text, FunctionVersion: text, Name: text }),
  'AWS::Lambda::Function': v.strictObject({
    Architectures: ignored,
    Code: v.strictObject({ S3Bucket: text, S3Key: text }),
    Environment: v.strictObject({ Variables: v.record(text, text) }),
    Handler: text,
    LoggingConfig: v.looseObject({ LogGroup: text }),
    MemorySize: v.number(),
    Role: text,
    Runtime: v.literal('nodejs24.x'),
    Timeout: v.number(),
    TracingConfig: ignored,
  }),
  'AWS::Lambda::Permission': v.strictObject({
    Action: v.literal('lambda:InvokeFunction'),
    FunctionName: text,
    Principal: v.literal('apigateway.amazonaws.com'),
    SourceArn: text,
  }),
} as const;

/** The types of resource that have no part in serving a request. */
export const ignoredTypes =
  /^AWS::(CloudWatch|CodeDeploy|Events|Logs|SNS|SSM|WAFv2|ApiGateway::(Account|BasePathMapping|Deployment|DomainName)|Lambda::Version)(::|$)/;

/** What `Ref` returns, by type, unless it is the name that CloudFormation generates; `of` returns a property. */
export const references: Readonly<Record<string, (of: (property: string) => unknown) => unknown>> = {
  'AWS::ApiGateway::Stage': (of) => of('StageName'),
  'AWS::DynamoDB::GlobalTable': (of) => of('TableName'),
  'AWS::Lambda::Alias': (of) => `${arn('lambda', `function:${of('FunctionName')}`)}:${of('Name')}`,
};

/** What `Fn::GetAtt` returns, by type and attribute; `name` is what `Ref` returns. */
export const attributes: Readonly<Record<string, (name: string) => string>> = {
  'AWS::ApiGateway::RestApi.RootResourceId': (name) => `${name}-root`,
  'AWS::DynamoDB::GlobalTable.Arn': (name) => arn('dynamodb', `table/${name}`),
  'AWS::IAM::Role.Arn': (name) => arn('iam', `role/${name}`, ''),
  'AWS::Lambda::Version.Version': () => '1',
  'AWS::Lambda::Function.Arn': (name) => arn('lambda', `function:${name}`),
  'AWS::Logs::LogGroup.Arn': (name) => arn('logs', `log-group:${name}:*`),
  'AWS::ApiGateway::DomainName.RegionalDomainName': (name) => `${name}.execute-api.amazonaws.com`,
};
