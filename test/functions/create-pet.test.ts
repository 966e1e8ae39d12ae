import { once } from 'node:events';
import { request } from 'node:http';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import { handler } from '../../functions/create-pet.ts';
import type { Pet } from '../../shared/contract/schemas/pet.ts';
import { petIdOf } from '../../shared/tables/creation.ts';
import { readPet } from '../../shared/tables/pets-table.ts';
import { captureErrorLog } from '../support/functions/error-log.ts';
import {
  commonHeaders,
  errorResponse,
  internalError,
  serviceUnavailable,
} from '../support/functions/expected-response.ts';
import { invoke, type TestRequest, type TestResponse } from '../support/functions/invoke.ts';
import { allItems, petItem, putItem, removeEveryPet } from '../support/functions/stored-pets.ts';
import { loadAt, nowhere, startStubDynamodb } from '../support/functions/stub-dynamodb.ts';

const log = captureErrorLog();
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

const categoryIdMessage = 'categoryId must be an integer from -9223372036854775808 to 9223372036854775807.';

const invalidJson = errorResponse(400, 'invalid_json', 'The body must be well-formed JSON.');
const unsupportedMediaType = errorResponse(
  415,
  'unsupported_media_type',
  'The body must be sent as application/json.',
);
const payloadTooLarge = errorResponse(413, 'payload_too_large', 'The body must be at most 16 KiB.');

describe('POST /pets', () => {
  beforeEach(removeEveryPet);

  it('creates a pet, available where no status is given', async () => {
    const response = await post();

    expect(response).toEqual(created(response, bella));
    const { id } = response.body as Pet;
    expect(await readPet(id)).toEqual({ id, ...bella });
  });

  it.each([
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
    ['1e3', 1000n],
  ])('keeps the categoryId %s exactly', async (categoryId, integer) => {
    const response = await post({ body: `{"name":"Bella","categoryId":${categoryId}}` });

    expect(response).toEqual(created(response, { ...bella, categoryId: integer }));
  });

  it.each(['  Bella\u0000\u2028', '🐈‍⬛', 'e\u0301', '"\\', '$context.x', '__proto__'])(
    'keeps the name %j exactly as sent',
    async (name) => {
      const response = await post({ body: JSON.stringify({ name, categoryId: 1 }) });

      const { id } = response.body as Pet;
      expect(response).toEqual(created(response, { ...bella, name }));
      expect(await readPet(id)).toEqual({ id, ...bella, name });
    },
  );

  it('neither stores nor returns unknown fields, id included', async () => {
    const response = await post({ body: '{"id":7,"name":"Bella","categoryId":1,"tag":{"deep":[1.5]}}' });

    const { id } = response.body as Pet;
    expect(id).not.toBe(7n);
    expect(response).toEqual(created(response, bella));
    const [item = {}] = await allItems();
    expect(Object.keys(item).sort()).toEqual(Object.keys(petItem(id)).sort());
  });

  it('makes another pet of each request without an Idempotency-Key', async () => {
    const [one, other] = await Promise.all([post(), post()]);

    expect((one.body as Pet).id).not.toBe((other.body as Pet).id);
  });

  describe('the body', () => {
    it.each([
      ['content-type', 'application/json'],
      ['Content-Type', 'Application/JSON'],
      ['CONTENT-TYPE', 'application/json;charset=utf-8'],
      ['content-type', 'application/json ; charset="utf-8"; v=1'],
    ])('may have the header %s: %s', async (name, value) => {
      const response = await post({ headers: { [name]: [value] } });

      expect(response).toEqual(created(response, bella));
    });

    it.each([
      '',
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/merge-patch+json',
      'application/jsonp',
      'text/json',
      'json',
      '; application/json',
    ])('is refused as %j', async (contentType) => {
      const response = await post({ headers: { 'Content-Type': [contentType] } });

      expect(response).toEqual(unsupportedMediaType);
    });

    it('is refused with two content types', async () => {
      const response = await post({ headers: { 'Content-Type': ['application/json', 'application/json'] } });

      expect(response).toEqual(unsupportedMediaType);
    });

    it('may have exactly 16 KiB', async () => {
      const response = await post({ body: body.padEnd(16 * 1024) });

      expect(response).toEqual(created(response, bella));
    });

    it.each([
      ['a byte', body.padEnd(16 * 1024 + 1)],
      ['a byte of UTF-8', `${body.padEnd(16 * 1024 - 6)}"${'é'.repeat(3)}`],
      ['a byte, malformed', '{'.repeat(16 * 1024 + 1)],
    ])('is refused with 16 KiB and %s', async (_title, large) => {
      const response = await post({ body: large });

      expect(response).toEqual(payloadTooLarge);
    });

    it.each([
      '',
      ' ',
      '{',
      '{"name":"Bella","categoryId":1,}',
      "{'name':'Bella'}",
      'name=Bella&categoryId=1',
      '{"name":"Bella","categoryId":01}',
      '{"name":"Bella","categoryId":NaN}',
      '{"name":"Bella\n","categoryId":1}',
      '\ufeff{"name":"Bella","categoryId":1}',
    ])('is refused when it is %j', async (malformed) => {
      const response = await post({ body: malformed });

      expect(response).toEqual(invalidJson);
    });

    it.each([
      '{"name":"Bella","categoryId":1,"__proto__":{"status":"sold"}}',
      '{"name":"Bella","categoryId":1,"tag":{"constructor":{"prototype":{}}}}',
    ])('is refused with a key that poisons prototypes: %s', async (poisonous) => {
      const response = await post({ body: poisonous });

      expect(response).toEqual(
        errorResponse(
          400,
          'invalid_json',
          'The body must not have the key __proto__ or constructor.prototype.',
        ),
      );
    });

    it.each([
      ['{"status":"sold"}', 'name is required. categoryId is required.'],
      ['{"name":"Bella","categoryId":9223372036854775808}', categoryIdMessage],
    ])('is refused when it is %s', async (invalid, message) => {
      const response = await post({ body: invalid });

      expect(response).toEqual(errorResponse(400, 'invalid_body', message));
    });

    const nested = (levels: number) =>
      `{"name":"Bella","categoryId":1,"tag":${'['.repeat(levels)}${']'.repeat(levels)}}`;

    it('may be nested 32 levels deep', async () => {
      const response = await post({ body: nested(31) });

      expect(response).toEqual(created(response, bella));
    });

    it.each([
      ['33 levels deep', nested(32)],
      ['8,000 levels deep', nested(8000)],
      ['deeply and is malformed', '['.repeat(16 * 1024)],
    ])('is refused when it is nested %s', async (_title, deep) => {
      const response = await post({ body: deep });

      expect(response).toEqual(
        errorResponse(400, 'invalid_json', 'The body must be nested at most 32 levels deep.'),
      );
    });

    it('is decoded where API Gateway has encoded it', async () => {
      const name = 'Żółw 🐢';
      const bytes = Buffer.from(JSON.stringify({ name, categoryId: 1 }));

      const response = await post({ body: bytes.toString('base64'), isBase64Encoded: true });

      expect(response).toEqual(created(response, { ...bella, name }));
    });

    it.each([
      ['a byte of Latin-1', Buffer.from('{"name":"Béla","categoryId":1}', 'latin1')],
      [
        'an encoded surrogate',
        Buffer.from('7b226e616d65223a22eda080222c2263617465676f72794964223a317d', 'hex'),
      ],
      ['UTF-16', Buffer.from('{"name":"Bella","categoryId":1}', 'utf16le').fill(0xff, 0, 1)],
    ])('is refused with %s, which is no UTF-8', async (_title, bytes) => {
      const response = await post({ body: bytes.toString('base64'), isBase64Encoded: true });

      expect(response).toEqual(errorResponse(400, 'invalid_json', 'The body must be UTF-8.'));
    });

    it('is measured in bytes as they were sent, however they are encoded', async () => {
      const [fits, large] = await Promise.all(
        [16 * 1024, 16 * 1024 + 1].map((length) =>
          post({ body: Buffer.from(body.padEnd(length)).toString('base64'), isBase64Encoded: true }),
        ),
      );

      expect(fits).toMatchObject({ status: 201 });
      expect(large).toEqual(payloadTooLarge);
    });
  });

  describe('the Idempotency-Key', () => {
    const reused = errorResponse(
      422,
      'idempotency_key_reused',
      'This Idempotency-Key was used before with another body: send a new key for a new pet.',
    );

    it('gives the first response again', async () => {
      const first = await postWithKey('again');

      const second = await postWithKey('again');

      expect(first).toEqual(created(first, bella));
      expect(second).toEqual(created(first, bella, replayed));
    });

    it.each([
      ['in quotes', { headers: { 'idempotency-key': ['"same"'] } }],
      ['with the API key rotated', { keyId: 'ba9876543210' }],
      [
        'with the default status spelled out',
        { body: '{"status":"available","categoryId":1.0,"name":"Bella"}' },
      ],
      ['with other unknown fields', { body: '{"name":"Bella","categoryId":1,"tag":"x"}' }],
    ])('is the same %s', async (_title, request) => {
      const first = await postWithKey('same');

      const second = await postWithKey('same', request);

      expect(second).toEqual(created(first, bella, replayed));
    });

    it.each([
      ['name', '{"name":"Max","categoryId":1}'],
      ['categoryId', '{"name":"Bella","categoryId":2}'],
      ['status', '{"name":"Bella","categoryId":1,"status":"sold"}'],
    ])('is refused for another %s', async (_field, other) => {
      await postWithKey('reused');

      const response = await postWithKey('reused', { body: other });

      expect(response).toEqual(reused);
    });

    it('is not used up by a request that was refused', async () => {
      await postWithKey('refused', { body: '{}' });

      const response = await postWithKey('refused');

      expect(response).toEqual(created(response, bella));
    });

    it('belongs to one client', async () => {
      const ours = await postWithKey('shared', { client: 'acme' });

      const theirs = await postWithKey('shared', { client: 'umbrella' });

      expect(theirs).toEqual(created(theirs, bella));
      expect((theirs.body as Pet).id).not.toBe((ours.body as Pet).id);
    });

    it('makes one pet of 50 requests at once', async () => {
      const responses = await Promise.all(Array.from({ length: 50 }, () => postWithKey('parallel')));

      const pet = { id: petIdOf({ client: 'acme', key: 'parallel' }, 0), ...bella };
      expect(responses.filter(({ headers }) => 'Idempotency-Replayed' in headers)).toHaveLength(49);
      for (const { status, body } of responses) expect([status, body]).toEqual([201, pet]);
    });

    it('is refused when it is given twice', async () => {
      const response = await post({ headers: { 'Idempotency-Key': ['one', 'one'] } });

      expect(response).toEqual(
        errorResponse(
          400,
          'invalid_header',
          'Idempotency-Key must be given once, as 1 to 255 visible ASCII characters.',
        ),
      );
    });
  });

  it('makes one pet, and tells of no replay, when the response to its write is lost on the way', async () => {
    const endpoint = inject('dynamodbEndpoint');
    let writes = 0;
    await using lossy = await startStubDynamodb(async ({ action, headers, body: call }, response) => {
      const [reply] = await once(request(endpoint, { method: 'POST', headers }).end(call), 'response');
      const isCreate = action === 'PutItem' && 'name' in JSON.parse(call).Item;
      if (isCreate) writes += 1;
      if (isCreate && writes === 1) response.destroy();
      else reply.pipe(response.writeHead(reply.statusCode));
    });
    const createPet = await loadAt(lossy.endpoint, () => import('../../functions/create-pet.ts'));

    const response = await invoke(createPet.handler, { method: 'POST', body });

    expect(response).toEqual(created(response, bella));
    expect(writes).toBe(2);
    expect(await allItems()).toHaveLength(1);
  });

  it('responds with 500 where the pet it finds is damaged, and logs what is damaged', async () => {
    const id = petIdOf({ client: 'acme', key: 'damaged' }, 0);
    await putItem({ ...petItem(id), categoryId: 'cats' });

    const response = await postWithKey('damaged');

    expect(response).toEqual(internalError);
    expect(log.lines()).toEqual([expect.stringContaining('A stored item has invalid categoryId.')]);
  });

  it('responds with 503 while DynamoDB is unreachable', async () => {
    const createPet = await loadAt(nowhere, () => import('../../functions/create-pet.ts'));

    const response = await invoke(createPet.handler, { method: 'POST', body });

    expect(response).toEqual(serviceUnavailable);
    expect(log.lines().at(-1)).toContain('ECONNREFUSED');
  });
});
