import { beforeEach, describe, expect, inject, it } from 'vitest';
import { handler } from '../../functions/create-pet.ts';
import type { Pet } from '../../shared/contract/schemas/pet.ts';
import { petIdOf } from '../../shared/tables/creation.ts';
import { commonHeaders, errorResponse } from '../support/functions/expected-response.ts';
import { invoke, type TestRequest, type TestResponse } from '../support/functions/invoke.ts';
import { allItems, removeEveryPet } from '../support/functions/stored-pets.ts';
import { loadAt, respondAs, startStubDynamodb } from '../support/functions/stub-dynamodb.ts';
import { forwardCall } from '../support/setup/forward-call.ts';

const body = '{"name":"Bella","categoryId":1}';
const bella = { name: 'Bella', categoryId: 1n, status: 'available' };

const post = (request: TestRequest = {}) => invoke(handler, { method: 'POST', body, ...request });
const postAs = (contentTypes: readonly string[]) => post({ headers: { 'content-TYPE': contentTypes } });
const postEncoded = (bytes: Buffer) => post({ body: bytes.toString('base64'), isBase64Encoded: true });
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

const invalidJson = (message: string) => errorResponse(400, 'invalid_json', message);
const malformed = invalidJson('The body must be well-formed JSON.');
const poisonous = invalidJson('The body must not have the key __proto__ or constructor.prototype.');
const tooDeep = invalidJson('The body must be nested at most 32 levels deep.');
const tooLarge = errorResponse(413, 'payload_too_large', 'The body must be at most 16 KiB.');
const nested = (levels: number) =>
  `{"name":"Bella","categoryId":1,"tag":${'['.repeat(levels)}${']'.repeat(levels)}}`;

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

    const response = await post({ body: `{${fields},"tag":{"deep":[1.5]}}` });

    const pet = { ...bella, name, categoryId: -9223372036854775808n };
    const { id } = response.body as Pet;
    expect(response).toEqual(created(response, pet));
    expect(id).not.toBe(7n);
    const digests = { creationDigest: expect.any(Uint8Array), payloadDigest: expect.any(Uint8Array) };
    expect(await allItems()).toEqual([{ id, ...pet, ...digests }]);
  });

  describe('the body', () => {
    it.each(['Application/JSON', 'application/json;charset=utf-8', 'application/json  ; v=1'])(
      'may be of the type %s',
      async (contentType) => {
        const response = await postAs([contentType]);

        expect(response).toEqual(created(response, bella));
      },
    );

    it.each([
      [['']],
      [['text/plain']],
      [['application/jsonp']],
      [['; application/json']],
      [['application/json', 'application/json']],
    ])('is refused with the types %j', async (contentTypes) => {
      const response = await postAs(contentTypes);

      expect(response).toEqual(
        errorResponse(415, 'unsupported_media_type', 'The body must be sent as application/json.'),
      );
    });

    it.each([
      ['empty', '', malformed],
      ['malformed', '{', malformed],
      ['marked with a byte order', `\ufeff${body}`, malformed],
      ['poisonous', '{"name":"Bella","categoryId":1,"__proto__":{"status":"sold"}}', poisonous],
      ['poisonous below', '{"tag":{"constructor":{"prototype":{}}}}', poisonous],
      ['nested 33 levels deep', nested(32), tooDeep],
      ['nested deeply and malformed', '['.repeat(16 * 1024), tooDeep],
      ['16 KiB and a byte', body.padEnd(16 * 1024 + 1), tooLarge],
      ['16 KiB and a byte of UTF-8', `${body.padEnd(16 * 1024 - 6)}"${'é'.repeat(3)}`, tooLarge],
      [
        'without the fields of a pet',
        '{"status":"sold"}',
        errorResponse(400, 'invalid_body', 'name is required. categoryId is required.'),
      ],
    ])('is refused when it is %s', async (_title, refused, expected) => {
      const response = await post({ body: refused });

      expect(response).toEqual(expected);
    });

    it.each([
      ['nested 32 levels deep', nested(31)],
      ['16 KiB large', body.padEnd(16 * 1024)],
    ])('may be %s', async (_title, accepted) => {
      const response = await post({ body: accepted });

      expect(response).toEqual(created(response, bella));
    });

    it('is decoded where API Gateway has encoded it, and measured as it was sent', async () => {
      const fits = await postEncoded(Buffer.from('{"name":"Żółw 🐢","categoryId":1}'.padEnd(16_000)));
      const large = await postEncoded(Buffer.from(body.padEnd(16 * 1024 + 1)));

      expect(fits).toEqual(created(fits, { ...bella, name: 'Żółw 🐢' }));
      expect(large).toEqual(tooLarge);
    });

    it('is refused when it is not UTF-8', async () => {
      const response = await postEncoded(Buffer.from('{"name":"Béla","categoryId":1}', 'latin1'));

      expect(response).toEqual(invalidJson('The body must be UTF-8.'));
    });
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

    it('is refused for another pet', async () => {
      await postWithKey('reused');

      const response = await postWithKey('reused', { body: '{"name":"Max","categoryId":1}' });

      expect(response).toEqual(
        errorResponse(
          422,
          'idempotency_key_reused',
          'This Idempotency-Key was used before with another body: send a new key for a new pet.',
        ),
      );
    });

    it('belongs to one client', async () => {
      const ours = await postWithKey('shared', { client: 'acme' });

      const theirs = await postWithKey('shared', { client: 'umbrella' });

      expect(theirs).toEqual(created(theirs, bella));
      expect((theirs.body as Pet).id).not.toBe((ours.body as Pet).id);
    });

    it('makes one pet of 20 requests at once', async () => {
      const responses = await Promise.all(Array.from({ length: 20 }, () => postWithKey('parallel')));

      const pet = { id: petIdOf({ client: 'acme', key: 'parallel' }, 0), ...bella };
      expect(responses.filter(({ headers }) => 'Idempotency-Replayed' in headers)).toHaveLength(19);
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
