import { afterAll, describe, expect, it, vi } from 'vitest';
import { createGateway, hasSameTemplate } from '../../api-gateway/gateway.ts';
import type { DeclaredResponse } from '../../api-gateway/own-responses.ts';
import type { HttpRequest } from '../../http/read-request.ts';
import { createInvoker } from '../../lambda/invoker.ts';
import { httpRequest } from '../support/received-request.ts';
import { stubDeployment } from '../support/stub-deployment.ts';
import { stubProject } from '../support/stub-project.ts';

// Functions log their errors there.
vi.spyOn(process.stderr, 'write').mockReturnValue(true);

const invoker = createInvoker('', { project: stubProject });
await invoker.deploy(stubDeployment);
afterAll(() => invoker.close());
const gateway = createGateway(stubDeployment, invoker);

/** Returns the response to a request for a function that returns what the body says. */
function responseOf(change: Partial<HttpRequest>) {
  const request = { method: 'POST', path: '/v1/repeat', headers: { authorization: ['Bearer allow'] } };
  return gateway.respond(httpRequest({ ...request, ...change }));
}

const html = { authorization: ['Bearer allow'], 'content-type': ['text/html'] };

describe('the gateway', () => {
  it('decodes a Base64 body', async () => {
    const body = Buffer.from('{"statusCode":200,"body":"6Q==","isBase64Encoded":true}');

    expect((await responseOf({ body })).body).toEqual(Buffer.from([0xe9]));
  });

  it('corrects the scheme of its own URLs, which functions take for https', async () => {
    const headers = { Location: 'https://local.example/v1/a', Link: '<https://other.example/v1/b>' };
    const body = Buffer.from(JSON.stringify({ statusCode: 201, headers }));

    const response = await responseOf({ body, domainName: 'local.example' });

    expect(response.headers).toMatchObject({
      Location: ['http://local.example/v1/a'],
      Link: ['<https://other.example/v1/b>'],
    });
  });

  it('uses the method of X-HTTP-Method-Override', async () => {
    const headers = { authorization: ['Bearer allow'], 'x-http-method-override': ['PUT'] };

    expect(await responseOf({ headers })).toMatchObject({ status: 405, body: 'not allowed' });
  });

  it.each([
    [
      'a mock integration has no template for HTML',
      { method: 'PUT', headers: html },
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'a method has reached its limit, before it authorizes',
      { path: '/v1/limited', headers: {} },
      'THROTTLED',
    ],
    ['the function throws', { path: '/v1/fail' }, 'DEFAULT_5XX'],
  ])('sends a gateway response when %s', async (_title, change, type) => {
    const response = await responseOf(change);

    expect(response).toMatchObject({ status: 418, headers: { 'X-Stub': 'yes' }, body: type });
  });

  it.each([
    [
      'that is declared for its class',
      [['DEFAULT_4XX', { status: 418, headers: {}, body: 'tea' }]],
      418,
      'tea',
    ],
    [
      'that is declared in part',
      [['MISSING_AUTHENTICATION_TOKEN', { status: 404, headers: {}, body: undefined }]],
      404,
      '{"message":"Missing Authentication Token"}',
    ],
    ["of API Gateway's own", [], 403, '{"message":"Missing Authentication Token"}'],
  ] as const)('sends a response %s', async (_title, declared, status, body) => {
    const gatewayResponses = new Map<string, DeclaredResponse>(declared);
    const own = createGateway({ ...stubDeployment, gatewayResponses }, invoker);

    expect(await own.respond(httpRequest({ path: '/v1/nowhere' }))).toMatchObject({ status, body });
  });

  it.each([
    ['stays true after new code of a function', 'repeat', true],
    ['is outdated by new code of an authorizer', 'authorize', false],
  ])('knows what %s', (_title, name, expected) => {
    const functions = stubDeployment.functions.map((spec) =>
      spec.name === name ? { ...spec, codeDirectory: 'new' } : spec,
    );

    expect(hasSameTemplate(stubDeployment, { ...stubDeployment, functions })).toBe(expected);
  });

  it('fails if a mock integration gets a body without a template that it passes through', async () => {
    const routes = stubDeployment.routes.map((route) =>
      route.integration.response
        ? { ...route, integration: { ...route.integration, passesOthersThrough: true } }
        : route,
    );
    const request = httpRequest({ method: 'PUT', path: '/v1/repeat', headers: html });

    const response = await createGateway({ ...stubDeployment, routes }, invoker).respond(request);

    expect(response).toMatchObject({ status: 418, body: 'DEFAULT_5XX' });
  });

  it('accepts null for every optional part of a result, and a status as text', async () => {
    const nulls = '"headers":null,"multiValueHeaders":null,"body":null,"isBase64Encoded":null';

    const response = await responseOf({ body: Buffer.from(`{"statusCode":"201",${nulls}}`) });

    expect(response).toMatchObject({ status: 201, body: '' });
  });

  it.each([
    ['a status out of range', '{"statusCode":99}', 'statusCode is 99 instead of >=200'],
    ['a status that is text', '{"statusCode":"OK"}', 'statusCode is NaN instead of a whole number'],
    ['a fraction as the status', '{"statusCode":200.5}', 'statusCode is 200.5 instead of a whole number'],
    ['no status', '{"body":"well"}', 'statusCode is missing'],
    ['an unknown key', '{"statusCode":200,"cookies":[]}', 'cookies is unknown'],
    ['an object as the body', '{"statusCode":200,"body":{}}', 'body is an object instead of string'],
    [
      'null as a header',
      '{"statusCode":200,"headers":{"X-A":null}}',
      'headers.X-A is null instead of string or number or boolean',
    ],
    ['no result', 'null', 'the handler returned nothing'],
    ['a text as the result', '"well"', 'the result is a string instead of an object'],
    [
      'a text as the headers',
      '{"statusCode":200,"headers":"X-A"}',
      'headers is a string instead of an object',
    ],
    [
      'a text as several headers',
      '{"statusCode":200,"multiValueHeaders":{"X-A":"b"}}',
      'multiValueHeaders.X-A is a string instead of an array',
    ],
  ])('rejects %s, naming the source, without a value', async (_title, result, mistake) => {
    using logged = vi.spyOn(console, 'error').mockReturnValueOnce();

    const response = await responseOf({ body: Buffer.from(result) });

    expect(response).toMatchObject({ status: 418, body: 'DEFAULT_5XX' });
    const source = 'functions/../bin/local-api/test/support/stub-functions/index.mjs';
    expect(logged).toHaveBeenCalledExactlyOnceWith(
      `ERROR ${source} returned a malformed result: ${mistake}.`,
    );
  });
});
