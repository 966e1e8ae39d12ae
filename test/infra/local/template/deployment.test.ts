import { afterAll, describe, expect, it } from 'vitest';
import { readDeployment } from '../../../../infra/local/template/deployment.ts';
import { synthesize } from '../../../support/infra/synthesize.ts';
import { altered, resourceOf } from '../../../support/infra/template.ts';

const stack = synthesize('production');
afterAll(stack.dispose);

describe('readDeployment', () => {
  const deployment = readDeployment(stack);

  // The end-to-end tests see which function and which authorizer each has.
  it('reads the limits of each method', () => {
    const rates = deployment.routes.map(({ method, resourcePath, throttling }) => [
      `${method} ${resourcePath}`,
      throttling.rate,
    ]);

    expect(Object.fromEntries(rates)).toEqual({
      'GET /pets': 400,
      'POST /pets': 350,
      'GET /pets/{petId}': 200,
      'HEAD /pets': 10,
      'ANY /pets': 10,
      'HEAD /pets/{petId}': 10,
      'ANY /pets/{petId}': 10,
    });
  });

  it.each<[title: string, type: string, properties: object, message: string]>([
    [
      'a header that is not a fixed text',
      'AWS::ApiGateway::GatewayResponse',
      { ResponseParameters: { 'gatewayresponse.header.X-Id': 'context.requestId' } },
      'this form of ResponseParameters.gatewayresponse.header.X-Id in the AWS::ApiGateway::GatewayResponse ',
    ],
    [
      'a variable in the body of a gateway response',
      'AWS::ApiGateway::GatewayResponse',
      { ResponseTemplates: { 'application/json': '$context.error.message' } },
      'this form of ResponseTemplates.application/json in the AWS::ApiGateway::GatewayResponse ',
    ],
    [
      'an integration with anything but a function',
      'AWS::ApiGateway::Method',
      { Integration: { IntegrationHttpMethod: 'POST', Type: 'AWS_PROXY', Uri: 'arn:aws:s3:path/pets' } },
      'this form of Integration.Uri in the AWS::ApiGateway::Method ',
    ],
    [
      'a method with an authorizer that it does not declare',
      'AWS::ApiGateway::Method',
      { AuthorizerId: 'nobody' },
      'The template refers to nobody before declaring it.',
    ],
  ])('refuses a template with %s', (_title, type, properties, message) => {
    const wrong = altered(stack, (resources) => {
      Object.assign(resourceOf(resources, type).Properties, properties);
    });

    expect(() => readDeployment(wrong)).toThrow(message);
  });
});
