import { fileURLToPath } from 'node:url';
import { arn } from '../../template/account.ts';
import type { Authorizer, Deployment, FunctionSpec } from '../../template/deployment.ts';

/** One of the functions of `stub-functions/`. */
export const stubFunction = (exportName: string): FunctionSpec => ({
  name: exportName,
  codeDirectory: fileURLToPath(new URL('./stub-functions', import.meta.url)),
  handler: `index.${exportName}`,
  environment: {},
  timeoutMs: 60_000,
  memoryMb: 128,
  version: '1',
  arn: stubFunctionArn(exportName),
  role: `${exportName}-role`,
});

export const stubFunctionArn = (exportName: string) => arn('lambda', `function:${exportName}`);

export const authorizer: Authorizer = {
  id: 'authorizer',
  properties: {
    AuthorizerResultTtlInSeconds: 60,
    AuthorizerUri: stubFunctionArn('authorize'),
    IdentitySource: 'method.request.header.Authorization',
    IdentityValidationExpression: '^Bearer \\w+$',
    RestApiId: 'api',
    Type: 'TOKEN',
  },
};

const throttling = { rate: 1000, burst: 1000 };
const noRequests = { rate: 0, burst: 0 };

const handlers = ['repeat', 'fail'];

/** A deployment of stub functions behind `POST /<name>`; a gateway response's body is its type. */
export const stubDeployment: Deployment = {
  stack: { name: 'stub', outputs: {} },
  apiId: 'api',
  stageName: 'v1',
  routes: [
    ...handlers.map((name) => ({
      method: 'POST',
      operationName: undefined,
      resourcePath: `/${name}`,
      integration: { functionArn: stubFunctionArn(name) },
      authorizer,
      throttling,
    })),
    ...Object.entries({ '/repeat': throttling, '/limited': noRequests }).map(([resourcePath, limits]) => ({
      method: 'ANY',
      operationName: undefined,
      resourcePath,
      integration: {
        response: { status: 405, headers: { Allow: 'POST' }, body: 'not allowed' },
        contentTypes: ['application/json'],
        passesOthersThrough: false,
      },
      authorizer,
      throttling: limits,
    })),
  ],
  gatewayResponses: new Map(
    ['DEFAULT_5XX', 'THROTTLED', 'UNSUPPORTED_MEDIA_TYPE'].map((body) => [
      body,
      { status: 418, headers: { 'X-Stub': 'yes' }, body },
    ]),
  ),
  functions: ['authorize', ...handlers].map(stubFunction),
  roles: new Map(),
  invokePermissions: ['authorize', ...handlers].map((name) => ({
    functionArn: stubFunctionArn(name),
    sourceArn: arn('execute-api', 'api/*'),
  })),
  tables: [],
  notEmulated: [],
};
