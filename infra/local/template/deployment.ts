import { join } from 'node:path';
import type { Assembly } from './assembly.ts';
import type { Statement } from './policy.ts';
import { type Properties, type Resource, readTemplate } from './read-template.ts';

/** The part of a function's declaration that is needed to run it. */
export interface FunctionSpec {
  /** Of the alias by which it is invoked. */
  readonly arn: string;
  readonly name: string;
  readonly version: string;
  readonly codeDirectory: string;
  /** `file.export`, as Lambda has it. */
  readonly handler: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly role: string;
  readonly logGroup: string;
}

/** A response of API Gateway itself. */
export interface FixedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A method of the API. */
export interface Route {
  /** `ANY` stands for all methods that the resource does not have. */
  readonly method: string;
  /** Such as `/pets/{petId}`. */
  readonly resourcePath: string;
  /** A function, or a response that API Gateway makes itself for bodies of some media types. */
  readonly integration:
    | { readonly functionArn: string }
    | { readonly response: FixedResponse; readonly contentTypes: readonly string[] };
  readonly authorizer: Authorizer;
  /** Requests per second, and how many at the same time. */
  readonly throttling: { readonly rate: number; readonly burst: number };
}

/** A TOKEN authorizer. */
export interface Authorizer {
  readonly id: string;
  readonly functionArn: string;
  readonly expression: RegExp;
  readonly ttlSeconds: number;
}

/** Everything that a template declares of its API, its functions and its tables, ready to be served. */
export interface Deployment {
  /** What CloudFormation says about the stack. */
  readonly stack: { readonly name: string; readonly outputs: Readonly<Record<string, string>> };
  readonly apiId: string;
  readonly stageName: string;
  /** Of the bodies that arrive in Base64. */
  readonly binaryMediaTypes: readonly string[];
  /** The line of the access log, with its `$context` variables. */
  readonly accessLogFormat: string;
  readonly routes: readonly Route[];
  /** By response type. */
  readonly gatewayResponses: ReadonlyMap<string, FixedResponse>;
  /** By the ARN of the alias that stands for them. */
  readonly functions: ReadonlyMap<string, FunctionSpec>;
  /** What a function's role allows, by the role's name. */
  readonly roles: ReadonlyMap<string, readonly Statement[]>;
  /** Who may invoke a function: `sourceArn` may hold wildcards. */
  readonly invokePermissions: readonly { readonly functionArn: string; readonly sourceArn: string }[];
  readonly tables: readonly Resource<'AWS::DynamoDB::GlobalTable'>[];
}

/**
 * The limit of a method for which the template declares none: the account's quota.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
 */
const accountLimit = { rate: 10_000, burst: 5000 };

/**
 * Reads what a stack declares.
 *
 * @throws {Error} naming what the local API does not know
 */
export function readDeployment({ name, template, directory }: Assembly): Deployment {
  const { resourcesOf, outputs } = readTemplate(template, name);
  const [api] = resourcesOf('AWS::ApiGateway::RestApi');
  const [stage] = resourcesOf('AWS::ApiGateway::Stage');
  if (!api || !stage) throw new Error('The template declares no REST API with a stage.');
  const { StageName: stageName, MethodSettings, AccessLogSetting } = stage.properties;
  const limits = new Map(
    MethodSettings.map(({ HttpMethod, ResourcePath, ThrottlingRateLimit, ThrottlingBurstLimit }) => [
      `${HttpMethod} ${ResourcePath.slice(1).replaceAll('~1', '/')}`,
      { rate: ThrottlingRateLimit, burst: ThrottlingBurstLimit },
    ]),
  );

  const authorizers = new Map(
    resourcesOf('AWS::ApiGateway::Authorizer').map(({ id, properties }) => [
      id,
      {
        id,
        functionArn: properties.AuthorizerUri,
        expression: properties.IdentityValidationExpression,
        ttlSeconds: properties.AuthorizerResultTtlInSeconds,
      },
    ]),
  );

  const paths = new Map([[`${api.id}-root`, '']]);
  for (const { id, properties } of resourcesOf('AWS::ApiGateway::Resource')) {
    paths.set(id, `${known(paths, properties.ParentId)}/${properties.PathPart}`);
  }

  const functions = new Map(
    resourcesOf('AWS::Lambda::Function').map(({ id, properties }) => [
      id,
      {
        name: id,
        codeDirectory: join(directory, `asset.${properties.Code.S3Key.replace(/\.zip$/, '')}`),
        handler: properties.Handler,
        environment: properties.Environment.Variables,
        timeoutMs: properties.Timeout * 1000,
        memoryMb: properties.MemorySize,
        logGroup: properties.LoggingConfig.LogGroup,
        role: properties.Role.split('/')[1] ?? '',
      },
    ]),
  );

  return {
    stack: { name, outputs },
    apiId: api.id,
    stageName,
    binaryMediaTypes: api.properties.BinaryMediaTypes,
    accessLogFormat: AccessLogSetting.Format,
    routes: resourcesOf('AWS::ApiGateway::Method').map(({ properties }) => {
      const { HttpMethod: method, ResourceId, Integration, AuthorizerId } = properties;
      const resourcePath = known(paths, ResourceId);
      return {
        method,
        resourcePath,
        integration:
          Integration.Type === 'MOCK'
            ? {
                response: fixedResponse(Integration.IntegrationResponses[0]),
                contentTypes: Object.keys(Integration.RequestTemplates),
              }
            : { functionArn: Integration.Uri },
        authorizer: known(authorizers, AuthorizerId),
        throttling: limits.get(`${method} ${resourcePath}`) ?? limits.get('* *') ?? accountLimit,
      };
    }),
    gatewayResponses: new Map(
      resourcesOf('AWS::ApiGateway::GatewayResponse').map(({ properties }) => [
        properties.ResponseType,
        fixedResponse(properties),
      ]),
    ),
    functions: new Map(
      resourcesOf('AWS::Lambda::Alias').map(({ id, properties: { FunctionName, FunctionVersion } }) => [
        id,
        { ...known(functions, FunctionName), arn: id, version: FunctionVersion },
      ]),
    ),
    roles: new Map(
      resourcesOf('AWS::IAM::Role').map(({ id, properties: { Policies } }) => [
        id,
        Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement),
      ]),
    ),
    invokePermissions: resourcesOf('AWS::Lambda::Permission').map(({ properties }) => ({
      functionArn: properties.FunctionName,
      sourceArn: properties.SourceArn,
    })),
    tables: resourcesOf('AWS::DynamoDB::GlobalTable'),
  };
}

const fixedResponse = ({
  StatusCode,
  ResponseParameters,
  ResponseTemplates,
}: Omit<Properties<'AWS::ApiGateway::GatewayResponse'>, 'ResponseType' | 'RestApiId'>): FixedResponse => ({
  status: StatusCode,
  headers: { 'Content-Type': 'application/json', ...ResponseParameters },
  body: ResponseTemplates['application/json'],
});

function known<T>(values: ReadonlyMap<string, T>, id: string): T {
  const value = values.get(id);
  if (value === undefined) throw new Error(`The template refers to ${id} before declaring it.`);
  return value;
}
