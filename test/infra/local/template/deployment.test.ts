import * as v from 'valibot';
import { afterAll, describe, expect, it } from 'vitest';
import { readDeployment } from '../../../../infra/local/template/deployment.ts';
import { synthesize } from '../../../../infra/local/template/synthesize.ts';
import { altered, resourceOf } from '../../../support/infra/template.ts';

const stack = synthesize('production');
afterAll(stack.dispose);

const functionArn = (id: string) =>
  expect.stringMatching(
    `^arn:aws:lambda:us-east-1:123456789012:function:PetStore-production-${id}Function\\w+:live$`,
  );

describe('readDeployment', () => {
  const deployment = readDeployment(stack);

  it('reads the routes with their functions, their authorizer and their limits', () => {
    const authorizer = {
      id: expect.stringContaining('PetStoreAuthorizer'),
      functionArn: functionArn('Authorizer'),
      expression: /^[Bb][Ee][Aa][Rr][Ee][Rr] +(petstore_production_[0-9A-Za-z]{38})$/,
      ttlSeconds: 60,
    };

    expect(deployment.routes).toEqual(
      [
        ['GET', '/pets', 'ListPets', 400],
        ['POST', '/pets', 'CreatePet', 350],
        ['GET', '/pets/{petId}', 'GetPet', 200],
      ].map(([method, resourcePath, id, limit]) => ({
        method,
        resourcePath,
        functionArn: functionArn(`${id}`),
        authorizer,
        throttling: { rate: limit, burst: limit },
      })),
    );
  });

  it('reads what a policy beside the role allows as what its own policies allow', () => {
    const withPolicy = altered(stack, (resources) => {
      const [roleId = ''] = Object.keys(resources).filter((id) => id.startsWith('GetPetRole'));
      const properties = resourceOf(resources, 'AWS::IAM::Role', 'GetPetRole').Properties;
      const [policy] = v.parse(v.array(v.looseObject({})), properties['Policies']);
      resources['Policy'] = {
        Type: 'AWS::IAM::Policy',
        Properties: { ...policy, Roles: [{ Ref: roleId }] },
      };
      delete properties['Policies'];
    });

    expect(readDeployment(withPolicy).roles).toEqual(deployment.roles);
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
