import { afterAll, describe, expect, it } from 'vitest';
import { readDeployment } from '../../../../infra/local/template/deployment.ts';
import { synthesize } from '../../../../infra/local/template/synthesize.ts';
import { operationSettings } from '../../../../infra/settings/operation-settings.ts';
import { operations } from '../../../../shared/contract/operations.ts';
import { altered, resourceOf } from '../../../support/infra/template.ts';

const stack = synthesize('production');
afterAll(stack.dispose);

describe('readDeployment', () => {
  const deployment = readDeployment(stack);

  // The end-to-end tests see which function and which authorizer each has.
  it('reads the limits of each method', () => {
    expect(deployment.routes).toMatchObject(
      Object.values(operations).map(({ operationId, method, path }) => {
        const { rateLimit: rate, burstLimit: burst } = operationSettings[operationId].throttling;
        return { method, resourcePath: path, throttling: { rate, burst } };
      }),
    );
  });

  it.each<[title: string, type: string, properties: object, message: string]>([
    [
      'a header that is not a fixed text',
      'AWS::ApiGateway::GatewayResponse',
      { ResponseParameters: { 'gatewayresponse.header.X-Id': 'context.requestId' } },
      'The local API does not know the response parameter gatewayresponse.header.X-Id = context.requestId.',
    ],
    [
      'a variable in the body of a gateway response',
      'AWS::ApiGateway::GatewayResponse',
      { ResponseType: 'THROTTLED', ResponseTemplates: { 'application/json': '$context.error.message' } },
      'The local API does not know the variable in THROTTLED: $context.error.message',
    ],
    [
      'an integration with anything but a function',
      'AWS::ApiGateway::Method',
      { Integration: { IntegrationHttpMethod: 'POST', Type: 'AWS_PROXY', Uri: 'arn:aws:s3:path/pets' } },
      'The local API does not know the integration arn:aws:s3:path/pets.',
    ],
    [
      'a method with an authorizer that it does not declare',
      'AWS::ApiGateway::Method',
      { AuthorizerId: 'nobody' },
      'The template refers to nobody before it declares it.',
    ],
  ])('refuses a template with %s', (_title, type, properties, message) => {
    const wrong = altered(stack, (resources) => {
      Object.assign(resourceOf(resources, type).Properties, properties);
    });

    expect(() => readDeployment(wrong)).toThrow(new Error(message));
  });
});
