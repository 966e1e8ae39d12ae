import { join } from 'node:path';
import { type GatewayResponse, toGatewayResponse } from './gateway-response.ts';
import type { Statement } from './policy.ts';
import { type Resource, readTemplate } from './read-template.ts';
import type { SynthesizedStack } from './synthesize.ts';

/** What of a function's declaration it takes to run it. */
export interface FunctionSpec {
  readonly name: string;
  readonly codeDirectory: string;
  /** `file.export`, as Lambda has it. */
  readonly handler: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** What CloudFormation says about a stack. */
export interface DescribedStack {
  readonly name: string;
  readonly outputs: Readonly<Record<string, string>>;
}

/** A method of the API. */
export interface Route {
  readonly method: string;
  /** `/pets/{petId}`, say. */
  readonly resourcePath: string;
  readonly functionArn: string;
  readonly authorizer: Authorizer;
  readonly throttling: Throttling;
}

/** API Gateway's limit of a method: requests a second, and how many at once. */
export interface Throttling {
  readonly rate: number;
  readonly burst: number;
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
  readonly stack: DescribedStack;
  readonly apiId: string;
  readonly stageName: string;
  /** The line of the access log, with its `$context` variables. */
  readonly accessLogFormat: string;
  readonly routes: readonly Route[];
  /** By response type. */
  readonly gatewayResponses: ReadonlyMap<string, GatewayResponse>;
  /** By the ARN of the alias that stands for them. */
  readonly functions: ReadonlyMap<string, FunctionSpec & { readonly role: string }>;
  /** What a function's role allows, by the role's name. */
  readonly roles: ReadonlyMap<string, readonly Statement[]>;
  /** Who may invoke a function: `sourceArn` may hold wildcards. */
  readonly invokePermissions: readonly { readonly functionArn: string; readonly sourceArn: string }[];
  readonly tables: readonly Resource<'AWS::DynamoDB::GlobalTable'>[];
}

/**
 * What a method takes that has no limit of its own: the quota of an account.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
 */
const accountLimit: Throttling = { rate: 10_000, burst: 5000 };

/**
 * Reads what a synthesized stack declares.
 *
 * @throws {Error} naming what the local API does not know
 */
export function readDeployment({ name, template, directory }: SynthesizedStack): Deployment {
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
        functionArn: integratedFunction(properties.AuthorizerUri),
        expression: new RegExp(properties.IdentityValidationExpression),
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
        role: properties.Role.split('/')[1] ?? '',
      },
    ]),
  );

  return {
    stack: { name, outputs },
    apiId: api.id,
    stageName,
    accessLogFormat: AccessLogSetting.Format,
    routes: resourcesOf('AWS::ApiGateway::Method').map(({ properties }) => {
      const { HttpMethod: method, ResourceId, Integration, AuthorizerId } = properties;
      const resourcePath = known(paths, ResourceId);
      return {
        method,
        resourcePath,
        functionArn: integratedFunction(Integration.Uri),
        authorizer: known(authorizers, AuthorizerId),
        throttling: limits.get(`${method} ${resourcePath}`) ?? accountLimit,
      };
    }),
    gatewayResponses: new Map(resourcesOf('AWS::ApiGateway::GatewayResponse').map(toGatewayResponse)),
    functions: new Map(
      resourcesOf('AWS::Lambda::Alias').map(({ id, properties: { FunctionName } }) => [
        id,
        known(functions, FunctionName),
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

function integratedFunction(uri: string): string {
  const functionArn = /:lambda:path\/2015-03-31\/functions\/(.+)\/invocations$/.exec(uri)?.[1];
  if (functionArn === undefined) throw new Error(`The local API does not know the integration ${uri}.`);
  return functionArn;
}

function known<T>(values: ReadonlyMap<string, T>, id: string): T {
  const value = values.get(id);
  if (value === undefined) throw new Error(`The template refers to ${id} before it declares it.`);
  return value;
}
