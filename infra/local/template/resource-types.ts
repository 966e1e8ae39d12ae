import * as v from 'valibot';
import { arn } from './account.ts';
import { PolicyDocument } from './policy.ts';

/** A property that says nothing to one machine. */
const ignored = v.optional(v.unknown());
const text = v.string();

const KeySchema = v.array(v.strictObject({ AttributeName: text, KeyType: v.picklist(['HASH', 'RANGE']) }));

/** The properties of each type of resource that the local API serves; a property not named here is refused. */
export const supportedTypes = {
  'AWS::ApiGateway::Authorizer': v.strictObject({
    AuthorizerResultTtlInSeconds: v.number(),
    AuthorizerUri: text,
    IdentitySource: v.literal('method.request.header.Authorization'),
    IdentityValidationExpression: text,
    Name: ignored,
    RestApiId: text,
    Type: v.literal('TOKEN'),
  }),
  'AWS::ApiGateway::GatewayResponse': v.strictObject({
    ResponseParameters: v.record(text, text),
    ResponseTemplates: v.strictObject({ 'application/json': text }),
    ResponseType: text,
    RestApiId: text,
    StatusCode: text,
  }),
  'AWS::ApiGateway::Method': v.strictObject({
    AuthorizationType: v.literal('CUSTOM'),
    AuthorizerId: text,
    HttpMethod: text,
    Integration: v.strictObject({
      IntegrationHttpMethod: v.literal('POST'),
      Type: v.literal('AWS_PROXY'),
      Uri: text,
    }),
    OperationName: ignored,
    ResourceId: text,
    RestApiId: text,
  }),
  'AWS::ApiGateway::Resource': v.strictObject({ ParentId: text, PathPart: text, RestApiId: text }),
  'AWS::ApiGateway::RestApi': v.strictObject({
    DisableExecuteApiEndpoint: ignored,
    EndpointConfiguration: ignored,
    Name: ignored,
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
            ProjectionType: v.literal('INCLUDE'),
            NonKeyAttributes: v.array(text),
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
  'AWS::Lambda::Alias': v.strictObject({ FunctionName: text, FunctionVersion: ignored, Name: text }),
  'AWS::Lambda::Function': v.strictObject({
    Architectures: ignored,
    Code: v.strictObject({ S3Bucket: text, S3Key: text }),
    Environment: v.strictObject({ Variables: v.record(text, text) }),
    Handler: text,
    LoggingConfig: ignored,
    MemorySize: v.number(),
    Role: text,
    Runtime: v.literal('nodejs24.x'),
    Timeout: v.number(),
  }),
  'AWS::Lambda::Permission': v.strictObject({
    Action: v.literal('lambda:InvokeFunction'),
    FunctionName: text,
    Principal: v.literal('apigateway.amazonaws.com'),
    SourceArn: text,
  }),
} as const;

/** The types of resource that have no part in serving a request. */
export const ignoredTypes: readonly string[] = [
  'AWS::ApiGateway::Account',
  'AWS::ApiGateway::BasePathMapping',
  'AWS::ApiGateway::Deployment',
  'AWS::ApiGateway::DomainName',
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::CompositeAlarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::CodeDeploy::Application',
  'AWS::CodeDeploy::DeploymentGroup',
  'AWS::Lambda::Version',
  'AWS::Logs::LogGroup',
  'AWS::Logs::MetricFilter',
  'AWS::Logs::QueryDefinition',
  'AWS::SNS::Subscription',
  'AWS::SNS::Topic',
  'AWS::SNS::TopicPolicy',
];

/** What `Ref` gives, by type, where it is not the name that CloudFormation makes up; `of` gives a property. */
export const references: Readonly<Record<string, (of: (property: string) => unknown) => unknown>> = {
  'AWS::ApiGateway::Stage': (of) => of('StageName'),
  'AWS::DynamoDB::GlobalTable': (of) => of('TableName'),
  'AWS::Lambda::Alias': (of) => `${arn('lambda', `function:${of('FunctionName')}`)}:${of('Name')}`,
};

/** What `Fn::GetAtt` gives, by type and attribute; `name` is what `Ref` gives. */
export const attributes: Readonly<Record<string, (name: string) => string>> = {
  'AWS::ApiGateway::RestApi.RootResourceId': (name) => `${name}-root`,
  'AWS::DynamoDB::GlobalTable.Arn': (name) => arn('dynamodb', `table/${name}`),
  'AWS::IAM::Role.Arn': (name) => arn('iam', `role/${name}`, ''),
  'AWS::Lambda::Version.Version': () => '1',
  'AWS::Lambda::Function.Arn': (name) => arn('lambda', `function:${name}`),
  'AWS::Logs::LogGroup.Arn': (name) => arn('logs', `log-group:${name}:*`),
  'AWS::ApiGateway::DomainName.RegionalDomainName': (name) => `${name}.execute-api.amazonaws.com`,
};
