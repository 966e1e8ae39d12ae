import { Match, Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { productionTemplate } from '../../support/infra/synthesize.ts';
import { handlers, readableTemplate, resourceOf, resourcesOf } from '../../support/infra/template.ts';

const template = productionTemplate();
const resources = resourcesOf(template);
const { propertiesOf } = readableTemplate(template);

const Responses = v.optional(
  v.array(
    v.object({
      StatusCode: v.string(),
      ResponseParameters: v.optional(v.record(v.string(), v.unknown()), {}),
    }),
  ),
  [],
);
type Responses = v.InferOutput<typeof Responses>;

const Method = v.object({
  Integration: v.object({ IntegrationResponses: Responses }),
  MethodResponses: Responses,
});

/** Returns the statuses, and the headers of each. */
const namesOf = (responses: Responses) =>
  responses.flatMap(({ StatusCode, ResponseParameters }) =>
    ['', ...Object.keys(ResponseParameters)].map((header) => `${StatusCode} ${header}`),
  );

describe('the API', () => {
  const [authorizer = {}] = Object.values(propertiesOf('AWS::ApiGateway::Authorizer'));

  it('lets the authorizer decide about each request, also about those that run no function', () => {
    Template.fromJSON(Object(template)).allResourcesProperties('AWS::ApiGateway::Method', {
      AuthorizationType: 'CUSTOM',
      AuthorizerId: { Ref: Match.stringLikeRegexp('^PetStoreAuthorizer') },
    });
  });

  it('forgets within a minute that a key was valid', () => {
    expect(authorizer).toMatchObject({ AuthorizerResultTtlInSeconds: 60 });
  });

  it('runs no function for what is not a key of its stage', () => {
    const pattern = new RegExp(Object(authorizer).IdentityValidationExpression);

    expect(`Bearer petstore_production_${'0'.repeat(38)}`).toMatch(pattern);
    expect(`Bearer petstore_staging_${'0'.repeat(38)}`).not.toMatch(pattern);
    expect('Bearer petstore_production_').not.toMatch(pattern);
  });

  it.each([
    ['ACCESS_DENIED', '401', 'unauthorized'],
    ['UNAUTHORIZED', '401', 'unauthorized'],
    ['INVALID_API_KEY', '401', 'unauthorized'],
    ['MISSING_AUTHENTICATION_TOKEN', '404', 'not_found'],
    ['EXPIRED_TOKEN', '404', 'not_found'],
    ['INVALID_SIGNATURE', '404', 'not_found'],
    ['RESOURCE_NOT_FOUND', '404', 'not_found'],
    ['BAD_REQUEST_BODY', '400', 'invalid_body'],
    ['BAD_REQUEST_PARAMETERS', '400', 'invalid_request'],
    ['DEFAULT_4XX', '400', 'invalid_request'],
    ['REQUEST_TOO_LARGE', '413', 'payload_too_large'],
    ['UNSUPPORTED_MEDIA_TYPE', '415', 'unsupported_media_type'],
    ['THROTTLED', '429', 'too_many_requests'],
    ['QUOTA_EXCEEDED', '429', 'too_many_requests'],
    ['WAF_FILTERED', '429', 'too_many_requests'],
    ['API_CONFIGURATION_ERROR', '500', 'internal_error'],
    ['DEFAULT_5XX', '500', 'internal_error'],
    ['AUTHORIZER_FAILURE', '503', 'service_unavailable'],
    ['AUTHORIZER_CONFIGURATION_ERROR', '503', 'service_unavailable'],
    ['INTEGRATION_FAILURE', '503', 'service_unavailable'],
    ['INTEGRATION_TIMEOUT', '504', 'gateway_timeout'],
  ])("answers API Gateway's %s with a %s %s", (ResponseType, StatusCode, code) => {
    const body = expect.stringContaining(`"code":"${code}"`);

    expect(Object.values(propertiesOf('AWS::ApiGateway::GatewayResponse'))).toContainEqual(
      expect.objectContaining({
        ResponseType,
        StatusCode,
        ResponseTemplates: { 'application/json': body },
      }),
    );
  });

  // API Gateway rejects a deploy otherwise.
  // https://docs.aws.amazon.com/apigateway/latest/api/API_PutIntegrationResponse.html
  it('declares each status and header that it sends without a function', () => {
    const methods = Object.entries(propertiesOf('AWS::ApiGateway::Method'));
    const sentBy = methods.map(([name, properties]) => [name, v.parse(Method, properties)] as const);
    const undeclared = sentBy.flatMap(([name, { Integration, MethodResponses }]) =>
      namesOf(Integration.IntegrationResponses)
        .filter((sent) => !namesOf(MethodResponses).includes(sent))
        .map((sent) => `${name} ${sent}`),
    );

    expect(sentBy.flatMap(([, { Integration }]) => namesOf(Integration.IntegrationResponses))).toContain(
      '405 method.response.header.Allow',
    );
    expect(undeclared).toEqual([]);
  });

  it('hands each byte of a body to its function', () => {
    expect(propertiesOf('AWS::ApiGateway::RestApi')['PetStoreApi']).toMatchObject({
      BinaryMediaTypes: ['*/*'],
    });
  });
});

describe('a function', () => {
  const functions = propertiesOf('AWS::Lambda::Function');

  it.each([...handlers, 'ReleasesCheck'])(
    '%s has the memory of the setting, with a log of its own',
    (name) => {
      expect(functions[`${name}Function`]).toMatchObject({
        MemorySize: 512,
        LoggingConfig: { LogGroup: `${name}Logs` },
      });
    },
  );

  // After 29 s, API Gateway would no longer wait for its response.
  it.each(handlers)('%s, which serves requests, ends within five seconds', (name) => {
    expect(functions[`${name}Function`]).toHaveProperty('Timeout', 5);
  });

  it('that authorizes knows the stage of its keys', () => {
    const { AuthorizerFunction } = functions;

    expect(AuthorizerFunction).toHaveProperty('Environment.Variables.KEY_PREFIX', 'petstore_production_');
  });
});

const logs = propertiesOf('AWS::Logs::LogGroup');
it.each([...handlers, 'ReleasesCheck', 'PetStoreAccess'])(
  'the log of %s is kept as long as the setting says',
  (name) => {
    expect(logs[`${name}Logs`]).toHaveProperty('RetentionInDays', 90);
  },
);

it('lists need no second read: each index has whole items', () => {
  const tables = JSON.stringify(propertiesOf('AWS::DynamoDB::GlobalTable'));

  expect(new Set(tables.match(/"ProjectionType":"\w+"/g))).toEqual(new Set(['"ProjectionType":"ALL"']));
});

it("the account's role for the logs of all APIs stays when a stage is deleted", () => {
  expect(resourceOf(resources, 'AWS::IAM::Role', 'PetStoreApiCloudWatchRole')).toMatchObject({
    DeletionPolicy: 'Retain',
  });
  expect(resourceOf(resources, 'AWS::ApiGateway::Account')).toMatchObject({ DeletionPolicy: 'Retain' });
});
