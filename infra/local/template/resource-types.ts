import * as v from 'valibot';
import { PolicyDocument } from '../lambda/policy.ts';
import { arn } from './account.ts';

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
  'AWS::ApiGateway::RestApi': v.strictObject({ EndpointConfiguration: ignored, Name: ignored }),
  'AWS::ApiGateway::Stage': v.strictObject({
    AccessLogSetting: v.strictObject({ DestinationArn: ignored, Format: text }),
    DeploymentId: ignored,
    MethodSettings: v.strictTuple([
      v.strictObject({
        DataTraceEnabled: v.literal(false),
        HttpMethod: v.literal('*'),
        ResourcePath: v.literal('/*'),
        ThrottlingBurstLimit: v.number(),
        ThrottlingRateLimit: v.number(),
      }),
    ]),
    RestApiId: text,
    StageName: text,
  }),
  'AWS::DynamoDB::Table': v.strictObject({
    AttributeDefinitions: v.array(
      v.strictObject({ AttributeName: text, AttributeType: v.picklist(['S', 'N', 'B']) }),
    ),
    BillingMode: v.literal('PAY_PER_REQUEST'),
    DeletionProtectionEnabled: ignored,
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
    PointInTimeRecoverySpecification: ignored,
    TimeToLiveSpecification: ignored,
  }),
  'AWS::IAM::Role': v.strictObject({
    AssumeRolePolicyDocument: ignored,
    Policies: v.optional(v.array(v.strictObject({ PolicyDocument, PolicyName: text })), []),
    ManagedPolicyArns: v.optional(v.array(text), []),
  }),
  'AWS::IAM::Policy': v.strictObject({ PolicyDocument, PolicyName: text, Roles: v.array(text) }),
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
  'AWS::ApiGateway::Deployment',
  'AWS::CloudWatch::Alarm',
  'AWS::Logs::LogGroup',
  'AWS::SNS::Topic',
  'AWS::SNS::TopicPolicy',
];

/** What `Fn::GetAtt` gives, by type and attribute; `name` is what `Ref` gives. */
export const attributes: Readonly<Record<string, (name: string) => string>> = {
  'AWS::ApiGateway::RestApi.RootResourceId': (name) => `${name}-root`,
  'AWS::DynamoDB::Table.Arn': (name) => arn('dynamodb', `table/${name}`),
  'AWS::IAM::Role.Arn': (name) => arn('iam', `role/${name}`, ''),
  'AWS::Lambda::Function.Arn': (name) => arn('lambda', `function:${name}`),
  'AWS::Logs::LogGroup.Arn': (name) => arn('logs', `log-group:${name}:*`),
  'AWS::CloudWatch::Alarm.Arn': (name) => arn('cloudwatch', `alarm:${name}`),
};
