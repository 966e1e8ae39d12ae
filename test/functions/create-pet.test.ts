import { beforeEach, describe, expect, inject, it } from 'vitest';
import { handler } from '../../functions/create-pet.ts';
import type { Pet } from '../../shared/contract/schemas/pet.ts';
import { captureErrorLog } from '../support/functions/error-log.ts';
import { commonHeaders, errorResponse, serviceUnavailable } from '../support/functions/expected-response.ts';
import { invoke, type TestRequest, type TestResponse } from '../support/functions/invoke.ts';
import { allItems, removeEveryPet } from '../support/functions/stored-pets.ts';
import { loadAt, nowhere, respondAs, startStubDynamodb } from '../support/functions/stub-dynamodb.ts';
import { forwardCall } from '../support/setup/forward-call.ts';

captureErrorLog();

const body = '{"name":"Bella","categoryId":1}';
const bella = { name: 'Bella', categoryId: 1n, status: 'available' };

const post = (request: TestRequest = {}) => invoke(handler, { method: 'POST', body, ...request });
const postWithKey = (key: string, request: TestRequest = {}) =>
  post({ headers: { 'Idempotency-Key': [key] }, ...request });

/** The response that says that a pet was created, exactly. */
const created = (response: TestResponse, pet: object, headers: object = {}) => {
  const { id } = response.body as Pet;
  return {
    status: 201,
    headers: { ...commonHeaders, Location: `http://pets.example/v1/pets/${id}`, ...headers },
    body: { id, ...pet },
  };
};
const replayed = { 'Idempotency-Replayed': 'true' };

const typed = (...types: string[]): TestRequest => ({ headers: { 'content-TYPE': types } });
const encoded = (bytes: Buffer): TestRequest => ({ body: bytes.toString('base64'), isBase64Encoded: true });
const nested = (levels: number) =>
  `{"name":"Bella","categoryId":1,"tag":${'['.repeat(levels)}${']'.repeat(levels)}}`;

const invalidJson = (message: string) => errorResponse(400, 'invalid_json', message);
const malformed = invalidJson('The body must be well-formed JSON.');
const notUtf8 = invalidJson('The body must be UTF-8.');
const poisonous = invalidJson('The body must not have the key __proto__ or constructor.prototype.');
const tooDeep = invalidJson('The body must be nested at most 32 levels deep.');
const tooLarge = errorResponse(413, 'payload_too_large', 'The body must be at most 16 KiB.');
const wrongType = errorResponse(415, 'unsupported_media_type', 'The body must be sent as application/json.');
const incomplete = errorResponse(400, 'invalid_body', 'name is required. categoryId is required.');
const invalidHeader = errorResponse(
  400,
  'invalid_header',
  'Idempotency-Key must be given once, as 1 to 255 visible ASCII characters.',
);

describe('POST /pets', () => {
  beforeEach(removeEveryPet);

  it('creates a pet for each request, available where no status is given', async () => {
    const [one, other] = await Promise.all([post(), post()]);

    expect(one).toEqual(created(one, bella));
    expect(other).toEqual(created(other, bella));
    expect((one.body as Pet).id).not.toBe((other.body as Pet).id);
  });

  it('keeps the name and the categoryId exactly as sent, and no unknown field, id included', async () => {
    const name = '  Bella\u0000\u2028 🐈‍⬛ e\u0301 "\\ $context.x __proto__';
    const fields = `"id":7,"name":${JSON.stringify(name)},"categoryId":-9223372036854775808`;

    const response = await post(encoded(Buffer.from(`{${fields},"tag":{"deep":[1.5]}}`)));

    const pet = { ...bella, name, categoryId: -9223372036854775808n };
    const { id } = response.body as Pet;
    expect(response).toEqual(created(response, pet));
    expect(id).not.toBe(7n);
    const digests = { creationDigest: expect.any(Uint8Array), payloadDigest: expect.any(Uint8Array) };
    expect(await allItems()).toEqual([{ id, ...pet, ...digests }]);
  });

  it.each<[title: string, request: TestRequest]>([
    ['JSON in capitals', typed('Application/JSON')],
    ['JSON with a parameter', typed('application/json;charset=utf-8')],
    ['JSON with a parameter after spaces', typed('application/json  ; v=1')],
    ['nested 32 levels deep', { body: nested(31) }],
    ['16 KiB large', { body: body.padEnd(16 * 1024) }],
    ['16 KiB large and encoded', encoded(Buffer.from(body.padEnd(16 * 1024)))],
  ])('takes a body that is %s', async (_title, request) => {
    const response = await post(request);

    expect(response).toEqual(created(response, bella));
  });

  it.each<[title: string, request: TestRequest, expected: TestResponse]>([
    ['an empty type', typed(''), wrongType],
    ['another type', typed('application/jsonp'), wrongType],
    ['only a parameter of a type', typed('; application/json'), wrongType],
    ['two types', typed('application/json', 'application/json'), wrongType],
    ['no body', { body: '' }, malformed],
    ['a malformed body', { body: '{' }, malformed],
    ['a byte order mark', { body: `\ufeff${body}` }, malformed],
    ['a poisonous key', { body: '{"name":"Bella","categoryId":1,"__proto__":{}}' }, poisonous],
    ['a poisonous key below', { body: '{"tag":{"constructor":{"prototype":{}}}}' }, poisonous],
    ['33 levels', { body: nested(32) }, tooDeep],
    ['levels without end', { body: '['.repeat(16 * 1024) }, tooDeep],
    ['16 KiB and a byte', { body: body.padEnd(16 * 1024 + 1) }, tooLarge],
    ['16 KiB and a byte of UTF-8', { body: `${body.padEnd(16 * 1024 - 1)}é` }, tooLarge],
    ['16 KiB and a byte, encoded', encoded(Buffer.from(body.padEnd(16 * 1024 + 1))), tooLarge],
    ['Latin-1', encoded(Buffer.from('{"name":"Béla","categoryId":1}', 'latin1')), notUtf8],
    ['no field of a pet', { body: '{"status":"sold"}' }, incomplete],
    ['two Idempotency-Keys', { headers: { 'Idempotency-Key': ['one', 'one'] } }, invalidHeader],
  ])('refuses %s', async (_title, request, expected) => {
    const response = await post(request);

    expect(response).toEqual(expected);
  });

  describe('the Idempotency-Key', () => {
    it.each([
      ['as it was', {}],
      ['in quotes', { headers: { 'idempotency-key': ['"same"'] } }],
      ['with the API key rotated', { keyId: 'ba9876543210' }],
      [
        'with the default status spelled out and an unknown field',
        { body: '{"status":"available","categoryId":1.0,"name":"Bella","tag":"x"}' },
      ],
    ])('gives the first response again, sent %s', async (_title, request) => {
      const first = await postWithKey('same');

      const second = await postWithKey('same', request);

      expect(first).toEqual(created(first, bella));
      expect(second).toEqual(created(first, bella, replayed));
    });

    it('belongs to one client', async () => {
      const ours = await postWithKey('shared', { client: 'acme' });

      const theirs = await postWithKey('shared', { client: 'umbrella' });

      expect(theirs).toEqual(created(theirs, bella));
      expect((theirs.body as Pet).id).not.toBe((ours.body as Pet).id);
    });
  });

  it('responds with 503 while DynamoDB is unreachable', async () => {
    const createPet = await loadAt(nowhere, () => import('../../functions/create-pet.ts'));

    expect(await invoke(createPet.handler, { method: 'POST', body })).toEqual(serviceUnavailable);
  });

  it('makes one pet, and tells of no replay, when the response to its write is lost on the way', async () => {
    const endpoint = inject('dynamodbEndpoint');
    let writes = 0;
    await using lossy = await startStubDynamodb(async (call, response) => {
      if (call.action === 'PutItem' && 'name' in JSON.parse(call.body).Item) writes += 1;
      if (writes !== 1) return respondAs(endpoint, call, response);
      await forwardCall(endpoint, call.headers, call.body);
      return response.destroy();
    });
    const createPet = await loadAt(lossy.endpoint, () => import('../../functions/create-pet.ts'));

    const response = await invoke(createPet.handler, { method: 'POST', body });

    expect(response).toEqual(created(response, bella));
    expect(writes).toBe(2);
    expect(await allItems()).toHaveLength(1);
  });
});
