import { fileURLToPath } from 'node:url';
import { arn } from '../../../infra/local/template/account.ts';
import type { Deployment, FunctionSpec } from '../../../infra/local/template/deployment.ts';

/** One of the functions of `stub-functions/`. */
export const stubFunction = (exportName: string): FunctionSpec => ({
  name: exportName,
  codeDirectory: fileURLToPath(new URL('./stub-functions', import.meta.url)),
  handler: `index.${exportName}`,
  environment: {},
  timeoutMs: 5000,
  memoryMb: 128,
  version: '1',
  arn: stubFunctionArn(exportName),
  logGroup: `${exportName}-logs`,
  role: `${exportName}-role`,
});

export const stubFunctionArn = (exportName: string) => arn('lambda', `function:${exportName}`);

export const authorizer = {
  id: 'authorizer',
  functionArn: stubFunctionArn('authorize'),
  expression: /^Bearer \w+$/,
  ttlSeconds: 60,
};

const throttling = { rate: 1000, burst: 1000 };

const handlers = ['repeat', 'fail'];

/** A deployment of stub functions: one behind `POST /<its name>` each, and gateway responses with their type as body. */
export const stubDeployment: Deployment = {
  stack: { name: 'stub', outputs: {} },
  apiId: 'api',
  stageName: 'v1',
  binaryMediaTypes: [],
  accessLogFormat: '$context.httpMethod $context.status',
  routes: [
    ...handlers.map((name) => ({
      method: 'POST',
      resourcePath: `/${name}`,
      integration: { functionArn: stubFunctionArn(name) },
      authorizer,
      throttling,
    })),
    ...['/repeat', '/any/{name}'].map((resourcePath) => ({
      method: 'ANY',
      resourcePath,
      integration: {
        response: { status: 405, headers: { Allow: 'POST' }, body: 'not allowed' },
        contentTypes: ['application/json'],
      },
      authorizer,
      throttling,
    })),
  ],
  gatewayResponses: new Map(
    ['ACCESS_DENIED', 'DEFAULT_4XX', 'DEFAULT_5XX', 'UNAUTHORIZED', 'UNSUPPORTED_MEDIA_TYPE'].map((body) => [
      body,
      { status: 418, headers: { 'X-Stub': 'yes' }, body },
    ]),
  ),
  functions: new Map(['authorize', ...handlers].map((name) => [stubFunctionArn(name), stubFunction(name)])),
  roles: new Map(),
  invokePermissions: ['authorize', ...handlers].map((name) => ({
    functionArn: stubFunctionArn(name),
    sourceArn: arn('execute-api', 'api/*'),
  })),
  tables: [],
};
