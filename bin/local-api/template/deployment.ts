import { join } from 'node:path';
import { arn } from './account.ts';
import type { Assembly } from './assembly.ts';
import { mockResponse } from './mock-response.ts';
import type { Statement } from './policy.ts';
import {
  type DeclaredResource,
  type Resource,
  readTemplate,
  type TemplateSettings,
} from './read-template.ts';

/** Everything that a stack declares about its API, functions and tables, ready to serve. */
export type Deployment = ReturnType<typeof readDeployment>;

/** A method of the API; `ANY` covers all methods that its path does not define. */
export type Route = Deployment['routes'][number];

export type Authorizer = Resource<'AWS::ApiGateway::Authorizer'>;

/** The part of a function's declaration that is needed to run it. */
export type FunctionSpec = Readonly<ReturnType<typeof functionSpec>>;

const apiGateway = 'apigateway.amazonaws.com';

/** The local API has no limit of the account. */
const unlimited = { rate: Number.POSITIVE_INFINITY, burst: Number.POSITIVE_INFINITY };

/**
 * Reads what a stack declares.
 *
 * @throws {Error} naming what the local API does not support
 */
export function readDeployment({ name, template, directory }: Assembly, settings: TemplateSettings) {
  const { declared, resourcesOf, outputs, ignore, ignored } = readTemplate(template, name, settings);
  const [api, ...otherApis] = resourcesOf('AWS::ApiGateway::RestApi');
  const [stage, ...otherStages] = resourcesOf('AWS::ApiGateway::Stage');
  if (!api || !stage) throw new Error('The template declares no REST API with a stage.');
  if (otherApis.length > 0 || otherStages.length > 0) {
    throw new Error('The local API serves one REST API with one stage, and the template declares more.');
  }
  const limits = new Map(
    stage.properties.MethodSettings.map((settings) => [
      `${settings.HttpMethod} ${settings.ResourcePath.slice(1).replaceAll('~1', '/')}`,
      { rate: settings.ThrottlingRateLimit, burst: settings.ThrottlingBurstLimit },
    ]),
  );

  const authorizers = resourcesOf('AWS::ApiGateway::Authorizer');
  const methods = resourcesOf('AWS::ApiGateway::Method');
  const functions = invokedFunctions(
    declared,
    new Set([
      ...authorizers.map(({ properties }) => properties.AuthorizerUri),
      ...methods.flatMap(({ properties: { Integration } }) =>
        Integration.Type === 'MOCK' ? [] : [Integration.Uri],
      ),
    ]),
    { directory, runtime: settings.runtime },
  );
  const permissions = Map.groupBy(declared('AWS::Lambda::Permission'), (each) =>
    String(each.property('Principal')),
  );
  // What invokes a function besides the API, such as a rule of EventBridge, needs one.
  for (const caller of permissions.keys())
    if (caller !== apiGateway) ignore(`AWS::Lambda::Permission of ${caller}`);
  const functionRoles = new Set(functions.map(({ role }) => role));
  const paths = [{ id: `${api.id}-root`, path: '' }];
  for (const { id, properties } of resourcesOf('AWS::ApiGateway::Resource')) {
    paths.push({ id, path: `${known(paths, properties.ParentId).path}/${properties.PathPart}` });
  }

  return {
    stack: { name, outputs },
    apiId: api.id,
    stageName: stage.properties.StageName,
    routes: methods.map(({ properties }) => {
      const { HttpMethod: method, OperationName, ResourceId, Integration, AuthorizerId = '' } = properties;
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
                response: mockResponse(Integration, properties.MethodResponses, `${method} ${resourcePath}`),
                contentTypes: Object.keys(Integration.RequestTemplates),
                passesOthersThrough: Integration.PassthroughBehavior === 'WHEN_NO_MATCH',
              }
            : { functionArn: Integration.Uri },
        /** Without it, anybody may call the method. */
        authorizer: properties.AuthorizationType === 'NONE' ? undefined : known(authorizers, AuthorizerId),
        throttling: limits.get(`${method} ${resourcePath}`) ?? limits.get('* *') ?? unlimited,
      };
    }),
    gatewayResponses: new Map(
      resourcesOf('AWS::ApiGateway::GatewayResponse').map(({ properties }) => [
        properties.ResponseType,
        {
          status: properties.StatusCode,
          headers: properties.ResponseParameters,
          body: properties.ResponseTemplates?.['application/json'],
        },
      ]),
    ),
    functions,
    /** The statements of the functions' roles, by the role's name. */
    roles: new Map(
      declared('AWS::IAM::Role')
        .filter(({ id }) => functionRoles.has(id))
        .map((role) => [role.id, [...inlineStatements(role), ...attachedStatements(declared, role.id)]]),
    ),
    /** Who may invoke a function: `sourceArn` may hold wildcards. */
    invokePermissions: (permissions.get(apiGateway) ?? [])
      .map((permission) => permission.read().properties)
      .map((properties) => ({
        functionArn: properties.FunctionName,
        sourceArn: properties.SourceArn,
      })),
    tables: resourcesOf('AWS::DynamoDB::GlobalTable'),
    /** What of the template is ignored, because it changes no response. */
    notEmulated: ignored(),
  };
}

type Declared = ReturnType<typeof readTemplate>['declared'];

/** Reads the functions that API Gateway invokes, through an alias or not. Others may have any form. */
function invokedFunctions(
  declared: Declared,
  arns: ReadonlySet<string>,
  { directory, runtime }: { readonly directory: string; readonly runtime: string },
) {
  function readFunction(each: DeclaredResource<'AWS::Lambda::Function'>): Resource<'AWS::Lambda::Function'> {
    const found = each.read();
    const { Runtime } = found.properties;
    if (Runtime === runtime) return found;
    throw new Error(`The Runtime of ${found.id} is ${Runtime}: the local API runs functions of ${runtime}.`);
  }

  const functions = declared('AWS::Lambda::Function');
  const throughAlias = declared('AWS::Lambda::Alias')
    .filter(({ id }) => arns.has(id))
    .map((each) => each.read())
    .map(({ id, properties: { FunctionName, FunctionVersion } }) =>
      functionSpec(id, FunctionVersion, readFunction(known(functions, FunctionName)), directory),
    );
  const direct = functions
    .filter(({ id }) => arns.has(arn('lambda', `function:${id}`)))
    .map((each) =>
      functionSpec(arn('lambda', `function:${each.id}`), '$LATEST', readFunction(each), directory),
    );
  return [...throughAlias, ...direct];
}

const inlineStatements = (role: DeclaredResource<'AWS::IAM::Role'>): readonly Statement[] =>
  role.read().properties.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);

const attachedStatements = (declared: Declared, role: string): readonly Statement[] =>
  [...declared('AWS::IAM::Policy'), ...declared('AWS::IAM::ManagedPolicy')]
    .filter((policy) => [policy.property('Roles')].flat().includes(role))
    .flatMap((policy) => policy.read().properties.PolicyDocument.Statement);

const functionSpec = (
  arn: string,
  version: string,
  { id, properties }: Resource<'AWS::Lambda::Function'>,
  assembly: string,
) => ({
  /** Of the alias that it is invoked through, if any. */
  arn,
  name: id,
  version,
  codeDirectory: join(assembly, `asset.${properties.Code.S3Key.replace(/\.zip$/, '')}`),
  /** `file.export`, as in Lambda. */
  handler: properties.Handler,
  environment: properties.Environment.Variables ?? {},
  timeoutMs: properties.Timeout * 1000,
  memoryMb: properties.MemorySize,
  role: properties.Role.replace(/^.*\//, ''),
});

function known<T extends { readonly id: string }>(values: readonly T[], id: string): T {
  const value = values.find((candidate) => candidate.id === id);
  if (!value) throw new Error(`The template refers to ${id} before declaring it.`);
  return value;
}
