import * as v from 'valibot';
import { afterAll, describe, expect, it } from 'vitest';
import { readDeployment } from '../../../../infra/local/template/deployment.ts';
import { synthesize } from '../../../../infra/local/template/synthesize.ts';
import { altered, type Resources, resourceOf } from '../../../support/infra/template.ts';

const stack = synthesize('production');
afterAll(stack.dispose);

const account = 'us-east-1:123456789012';
const functionArn = (id: string) =>
  expect.stringMatching(`^arn:aws:lambda:${account}:function:PetStore-production-${id}\\w+:live$`);
const tableArn = (id: string) =>
  expect.stringMatching(`^arn:aws:dynamodb:${account}:table/PetStore-production-${id}`);

describe('readDeployment', () => {
  const deployment = readDeployment(stack);

  it('reads the routes with their functions, their authorizer and their limits', () => {
    const authorizer = {
      id: expect.stringContaining('PetStoreAuthorizer'),
      functionArn: functionArn('AuthorizerFunction'),
      expression: /^[Bb][Ee][Aa][Rr][Ee][Rr] +(petstore_production_[0-9A-Za-z]{38})$/,
      ttlSeconds: 60,
    };

    expect(deployment.routes).toEqual([
      {
        method: 'GET',
        resourcePath: '/pets',
        functionArn: functionArn('ListPetsFunction'),
        authorizer,
        throttling: { rate: 400, burst: 400 },
      },
      {
        method: 'POST',
        resourcePath: '/pets',
        functionArn: functionArn('CreatePetFunction'),
        authorizer,
        throttling: { rate: 350, burst: 350 },
      },
      {
        method: 'GET',
        resourcePath: '/pets/{petId}',
        functionArn: functionArn('GetPetFunction'),
        authorizer,
        throttling: { rate: 200, burst: 200 },
      },
    ]);
  });

  it('reads what a role allows', () => {
    const [, statements] = [...deployment.roles].find(([role]) => role.includes('ListPetsRole')) ?? [];

    expect(statements).toEqual([
      expect.objectContaining({ Action: ['logs:CreateLogStream', 'logs:PutLogEvents'] }),
      { Effect: 'Allow', Action: ['dynamodb:Scan'], Resource: [tableArn('TablesPets\\w+$')] },
      { Effect: 'Allow', Action: ['dynamodb:Query'], Resource: [tableArn('TablesPets\\w+/index/byStatus$')] },
    ]);
  });

  it('reads what a policy beside the role allows', () => {
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

  it.each<[title: string, alter: (resources: Resources) => void, message: string]>([
    [
      'no REST API',
      (resources) => {
        resourceOf(resources, 'AWS::ApiGateway::RestApi').Type = 'AWS::Logs::LogGroup';
      },
      'The template declares no REST API with a stage.',
    ],
    [
      'a header that is not a fixed text',
      (resources) => {
        resourceOf(resources, 'AWS::ApiGateway::GatewayResponse').Properties['ResponseParameters'] = {
          'gatewayresponse.header.X-Id': 'context.requestId',
        };
      },
      'The local API does not know the response parameter gatewayresponse.header.X-Id = context.requestId.',
    ],
    [
      'a variable in the body of a gateway response',
      (resources) => {
        Object.assign(resourceOf(resources, 'AWS::ApiGateway::GatewayResponse').Properties, {
          ResponseType: 'THROTTLED',
          ResponseTemplates: { 'application/json': '$context.error.message' },
        });
      },
      'The local API does not know the variable in THROTTLED: $context.error.message',
    ],
    [
      'an integration with anything but a function',
      (resources) => {
        resourceOf(resources, 'AWS::ApiGateway::Method').Properties['Integration'] = {
          IntegrationHttpMethod: 'POST',
          Type: 'AWS_PROXY',
          Uri: 'arn:aws:apigateway:us-east-1:s3:path/pets',
        };
      },
      'The local API does not know the integration arn:aws:apigateway:us-east-1:s3:path/pets.',
    ],
    [
      'a method with an authorizer that it does not declare',
      (resources) => {
        resourceOf(resources, 'AWS::ApiGateway::Method').Properties['AuthorizerId'] = 'nobody';
      },
      'The template refers to nobody before it declares it.',
    ],
  ])('refuses a template with %s', (_title, alter, message) => {
    const wrong = altered(stack, alter);

    expect(() => readDeployment(wrong)).toThrow(new Error(message));
  });
});
