import { join } from 'node:path';
import type { HttpResponse } from '../http/http.ts';
import type { Assembly } from './assembly.ts';
import { type Resource, readTemplate } from './read-template.ts';

/** Everything that a stack declares about its API, functions and tables, ready to serve. */
export type Deployment = ReturnType<typeof readDeployment>;

/** A method of the API; `ANY` covers all methods that its path does not define. */
export type Route = Deployment['routes'][number];

export type Authorizer = Resource<'AWS::ApiGateway::Authorizer'>;

/** The part of a function's declaration that is needed to run it. */
export type FunctionSpec = Readonly<ReturnType<typeof functionSpec>>;

/** The local API has no limit of the account. */
const unlimited = { rate: Number.POSITIVE_INFINITY, burst: Number.POSITIVE_INFINITY };

/**
 * Reads what a stack declares.
 *
 * @throws {Error} naming what the local API does not support
 */
export function readDeployment({ name, template, directory }: Assembly) {
  const { resourcesOf, outputs } = readTemplate(template, name);
  const [api] = resourcesOf('AWS::ApiGateway::RestApi');
  const [stage] = resourcesOf('AWS::ApiGateway::Stage');
  if (!api || !stage) throw new Error('The template declares no REST API with a stage.');
  const limits = new Map(
    stage.properties.MethodSettings.map((settings) => [
      `${settings.HttpMethod} ${settings.ResourcePath.slice(1).replaceAll('~1', '/')}`,
      { rate: settings.ThrottlingRateLimit, burst: settings.ThrottlingBurstLimit },
    ]),
  );

  const authorizers = resourcesOf('AWS::ApiGateway::Authorizer');
  const functions = resourcesOf('AWS::Lambda::Function');
  const paths = [{ id: `${api.id}-root`, path: '' }];
  for (const { id, properties } of resourcesOf('AWS::ApiGateway::Resource')) {
    paths.push({ id, path: `${known(paths, properties.ParentId).path}/${properties.PathPart}` });
  }

  return {
    stack: { name, outputs },
    apiId: api.id,
    stageName: stage.properties.StageName,
    routes: resourcesOf('AWS::ApiGateway::Method').map(({ properties }) => {
      const { HttpMethod: method, OperationName, ResourceId, Integration, AuthorizerId } = properties;
      const { path: resourcePath } = known(paths, ResourceId);
      return {
        method,
        operationName: OperationName,
        /** Such as `/pets/{petId}`. */
        resourcePath,
        /** A function, or API Gateway's own response to bodies of some media types. */
        integration:
          Integration.Type === 'MOCK'
            ? {
                response: fixedResponse(Integration.IntegrationResponses[0]),
                contentTypes: Object.keys(Integration.RequestTemplates),
              }
            : { functionArn: Integration.Uri },
        authorizer: known(authorizers, AuthorizerId),
        throttling: limits.get(`${method} ${resourcePath}`) ?? limits.get('* *') ?? unlimited,
      };
    }),
    gatewayResponses: new Map(
      resourcesOf('AWS::ApiGateway::GatewayResponse').map(({ properties }) => [
        properties.ResponseType,
        fixedResponse(properties),
      ]),
    ),
    functions: resourcesOf('AWS::Lambda::Alias').map((alias) =>
      functionSpec(alias, known(functions, alias.properties.FunctionName), directory),
    ),
    /** The statements of the functions' roles, by the role's name. */
    roles: new Map(
      resourcesOf('AWS::IAM::Role').map(({ id, properties }) => [
        id,
        properties.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement),
      ]),
    ),
    /** Who may invoke a function: `sourceArn` may hold wildcards. */
    invokePermissions: resourcesOf('AWS::Lambda::Permission').map(({ properties }) => ({
      functionArn: properties.FunctionName,
      sourceArn: properties.SourceArn,
    })),
    tables: resourcesOf('AWS::DynamoDB::GlobalTable'),
  };
}

const functionSpec = (
  alias: Resource<'AWS::Lambda::Alias'>,
  { id, properties }: Resource<'AWS::Lambda::Function'>,
  assembly: string,
) => ({
  /** Of the alias that it is invoked through. */
  arn: alias.id,
  name: id,
  version: alias.properties.FunctionVersion,
  codeDirectory: join(assembly, `asset.${properties.Code.S3Key.replace(/\.zip$/, '')}`),
  /** `file.export`, as in Lambda. */
  handler: properties.Handler,
  environment: properties.Environment.Variables,
  timeoutMs: properties.Timeout * 1000,
  memoryMb: properties.MemorySize,
  role: properties.Role.replace(/^.*\//, ''),
});

const fixedResponse = (
  properties: Omit<Resource<'AWS::ApiGateway::GatewayResponse'>['properties'], 'ResponseType'>,
): HttpResponse => ({
  status: properties.StatusCode,
  headers: { 'Content-Type': 'application/json', ...properties.ResponseParameters },
  body: properties.ResponseTemplates['application/json'],
});

function known<T extends { readonly id: string }>(values: readonly T[], id: string): T {
  const value = values.find((candidate) => candidate.id === id);
  if (!value) throw new Error(`The template refers to ${id} before declaring it.`);
  return value;
}
