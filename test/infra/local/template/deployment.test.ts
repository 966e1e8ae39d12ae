import { afterAll, expect, it } from 'vitest';
import { readDeployment } from '../../../../infra/local/template/deployment.ts';
import { synthesize } from '../../../support/infra/synthesize.ts';
import { altered, resourceOf } from '../../../support/infra/template.ts';

const stack = synthesize('production');
afterAll(stack.dispose);

const path = 'AWS::ApiGateway::Resource';
const gatewayResponse = 'AWS::ApiGateway::GatewayResponse';

it('every method of the stack caches an authorization for a minute', () => {
  const { routes } = readDeployment(stack);

  expect(new Set(routes.map(({ authorizer }) => authorizer.properties.AuthorizerResultTtlInSeconds))).toEqual(
    new Set([60]),
  );
});

it('readDeployment reads the limits of a method, or else those of all methods', () => {
  const limit = (HttpMethod: string, ResourcePath: string, ThrottlingRateLimit: number) => ({
    HttpMethod,
    ResourcePath,
    ThrottlingRateLimit,
    DataTraceEnabled: false,
    ThrottlingBurstLimit: 1,
  });
  const limited = altered(stack, (resources) => {
    const { Properties } = resourceOf(resources, 'AWS::ApiGateway::Stage');
    Properties['MethodSettings'] = [limit('GET', '/~1pets', 7), limit('*', '/*', 3)];
  });

  const routes = readDeployment(limited).routes.filter(({ resourcePath }) => resourcePath === '/pets');
  const rates = routes.map((route) => [route.method, route.throttling.rate]);
  expect(Object.fromEntries(rates)).toMatchObject({ GET: 7, POST: 3 });
});

it.each<[message: string, type: string, properties: object]>([
  [`this form of Cors in the ${path} `, path, { Cors: true }],
  [
    'the attribute AWS::Lambda::Alias.Version of Alias',
    path,
    { PathPart: { 'Fn::GetAtt': ['Alias', 'Version'] } },
  ],
  ['The template refers to Nothing, which it does not declare.', path, { PathPart: { Ref: 'Nothing' } }],
  ['The template refers to Nothing before declaring it.', path, { ParentId: 'Nothing' }],
  ['the intrinsic function Fn::If.', path, { PathPart: { 'Fn::If': ['IsBig', 'a', 'b'] } }],
  [
    `this form of ResponseTemplates.application/json in the ${gatewayResponse} `,
    gatewayResponse,
    { ResponseTemplates: { 'application/json': '$context.error.message' } },
  ],
  ['AuthorizerResultTtlInSeconds', 'AWS::ApiGateway::Authorizer', { AuthorizerResultTtlInSeconds: 0 }],
  ['ApplicationLogLevel', 'AWS::Lambda::Function', { LoggingConfig: { ApplicationLogLevel: 'DEBUG' } }],
  ['the resource type AWS::SQS::Queue of Alias.', 'AWS::Lambda::Alias', { Type: 'AWS::SQS::Queue' }],
  ['The local API does not support conditions.', 'AWS::Lambda::Alias', { Condition: 'IsBig' }],
])('readDeployment names what it does not support: %s', (message, type, change) => {
  const wrong = altered(stack, (resources) => {
    resources['Alias'] = structuredClone(resourceOf(resources, 'AWS::Lambda::Alias'));
    if (type === 'AWS::Lambda::Alias') Object.assign(resources['Alias'], change);
    else Object.assign(resourceOf(resources, type).Properties, change);
  });

  expect(() => readDeployment(wrong)).toThrow(message);
});
