import { beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { handler } from '../../functions/create-pet.ts';
import { stringifyJson } from '../../shared/contract/json.ts';
import { exampleNewPet, examplePet } from '../../shared/contract/operations.ts';
import { petIdOf } from '../../shared/tables/creation.ts';
import { captureLog } from '../support/functions/capture-log.ts';
import { commonHeaders, errorResponse, serviceUnavailable } from '../support/functions/expected-response.ts';
import { invoke, type TestRequest, type TestResponse } from '../support/functions/invoke.ts';
import { allItems, removeEveryPet } from '../support/functions/stored-pets.ts';
import {
  forwardCall,
  loadAt,
  nowhere,
  respondAs,
  startStubDynamodb,
} from '../support/functions/stub-dynamodb.ts';

const log = captureLog();

const body = stringifyJson(exampleNewPet);
const bodyWith = (fields: object) => stringifyJson({ ...exampleNewPet, ...fields });

const post = (request: TestRequest = {}, create = handler) =>
  invoke(create, { method: 'POST', body, ...request });
const postWithKey = (key: string, request: TestRequest = {}) =>
  post({ headers: { 'Idempotency-Key': [key] }, ...request });

/** The example pet, as the client `acme` creates it with a key. */
const petWithKey = (key: string) => ({ ...examplePet, id: petIdOf({ client: 'acme', key }, 0) });

/** The exact response to a create that makes a pet. */
const created = (pet: { readonly id: bigint }, headers: object = {}): TestResponse => ({
  status: 201,
  headers: { ...commonHeaders, Location: `https://pets.example/v1/pets/${pet.id}`, ...headers },
  body: pet,
});
const replayed = { 'Idempotency-Replayed': 'true' };

const typed = (...types: string[]): TestRequest => ({ headers: { 'content-TYPE': types } });
const encoded = (bytes: Buffer): TestRequest => ({ body: bytes.toString('base64'), isBase64Encoded: true });
const nested = (levels: number) => body.replace('{', `{"x":${'['.repeat(levels)}${']'.repeat(levels)},`);

const invalidJson = (message: string) => errorResponse(400, 'invalid_json', message);
const malformed = invalidJson('The body must be well-formed JSON.');
const notUtf8 = invalidJson('The body must be UTF-8.');
const forbidden = invalidJson('The body must not have the key __proto__ or constructor.prototype.');
const tooDeep = invalidJson('The body must be nested at most 32 levels deep.');
const tooLarge = errorResponse(413, 'payload_too_large', 'The body must be at most 16 KiB.');
const wrongType = errorResponse(415, 'unsupported_media_type', 'The body must be sent as application/json.');
const invalidName = errorResponse(
  400,
  'invalid_body',
  'name must be a string of 1 to 255 characters, not only white space.',
);
const invalidHeader = errorResponse(
  400,
  'invalid_header',
  'Idempotency-Key must be given once, as 1 to 255 visible ASCII characters.',
);
const reused = errorResponse(
  422,
  'idempotency_key_reused',
  'This Idempotency-Key was used before with another body: send a new key for a new pet.',
);

describe('POST /pets', () => {
  beforeEach(removeEveryPet);

  it('creates a pet for each request without a key', async () => {
    const responses = await Promise.all([post(), post()]);

    const items = await allItems();
    const pets = items.map(({ digest: _digest, ...pet }) => pet as typeof examplePet);
    expect(pets).toMatchObject([exampleNewPet, exampleNewPet]);
    expect(new Set(responses)).toEqual(new Set(pets.map((pet) => created(pet))));
  });

  it('keeps the name exactly as sent', async () => {
    const name = '  Bella\u0000\u2028 🐈‍⬛ e\u0301 "\\ $context.x __proto__';

    const response = await postWithKey('name', encoded(Buffer.from(bodyWith({ name }))));

    expect(response.body).toMatchObject({ name });
    expect(await allItems()).toMatchObject([{ name }]);
  });

  it('stores no unknown field, not even an id', async () => {
    const response = await postWithKey('unknown', { body: bodyWith({ id: 7, tag: { deep: [1.5] } }) });

    expect(response).toEqual(created(petWithKey('unknown')));
    expect(await allItems()).toEqual([{ ...petWithKey('unknown'), digest: expect.any(Uint8Array) }]);
  });

  it('logs each create with client, key id, pet id or replay, never the body', async () => {
    await postWithKey('log');
    await postWithKey('log');

    const line = {
      message: 'A pet was created.',
      requestId: expect.any(String),
      keyId: '0123456789ab',
      coldStart: expect.any(Boolean),
      client: 'acme',
      petId: `${petWithKey('log').id}`,
    };
    expect(log.infos().map((text) => JSON.parse(text))).toEqual([
      { ...line, isReplay: false },
      { ...line, isReplay: true },
    ]);
  });

  it.each<[title: string, request: TestRequest]>([
    ['JSON in capitals', typed('Application/JSON')],
    ['JSON with a parameter after spaces', typed('application/json  ; v=1')],
    ['nested 32 levels deep', { body: nested(31) }],
    ['16 KiB large and encoded', encoded(Buffer.from(body.padEnd(16 * 1024)))],
  ])('accepts a body that is %s', async (_title, request) => {
    const response = await post(request);

    expect(response).toMatchObject({ status: 201, body: exampleNewPet });
  });

  it.each<[title: string, request: TestRequest, expected: TestResponse]>([
    ['an empty type', typed(''), wrongType],
    ['another type', typed('application/jsonp'), wrongType],
    ['only a parameter of a type', typed('; application/json'), wrongType],
    ['two types', typed('application/json', 'application/json'), wrongType],
    ['no body', { body: '' }, malformed],
    ['a malformed body', { body: '{' }, malformed],
    ['a byte order mark', { body: `\ufeff${body}` }, malformed],
    ['a forbidden key', { body: body.replace('{', '{"__proto__":{},') }, forbidden],
    ['a forbidden key below', { body: '{"tag":{"constructor":{"prototype":{}}}}' }, forbidden],
    ['33 levels', { body: nested(32) }, tooDeep],
    ['endless levels', { body: '['.repeat(16 * 1024) }, tooDeep],
    ['16 KiB and a byte of UTF-8', { body: `${body.padEnd(16 * 1024 - 1)}é` }, tooLarge],
    ['16 KiB and a byte, encoded', encoded(Buffer.from(body.padEnd(16 * 1024 + 1))), tooLarge],
    ['Latin-1', encoded(Buffer.from(bodyWith({ name: 'Béla' }), 'latin1')), notUtf8],
    ['an invalid field', { body: bodyWith({ name: '' }) }, invalidName],
    ['two Idempotency-Keys', { headers: { 'Idempotency-Key': ['one', 'one'] } }, invalidHeader],
  ])('rejects %s', async (_title, request, expected) => {
    const response = await post(request);

    expect(response).toEqual(expected);
  });

  it('responds with 503 while DynamoDB is unreachable', async () => {
    const createPet = await loadAt(nowhere, () => import('../../functions/create-pet.ts'));

    expect(await post({}, createPet.handler)).toEqual(serviceUnavailable);
  });

  it('creates one pet, not marked as a replay, when the response to its write is lost', async () => {
    const endpoint = inject('dynamodbEndpoint');
    let writes = 0;
    await using lossy = await startStubDynamodb(async (call, response) => {
      if (call.action === 'PutItem' && 'name' in JSON.parse(call.body).Item) writes += 1;
      if (writes !== 1) return respondAs(endpoint, call, response);
      await forwardCall(endpoint, call);
      return response.destroy();
    });
    const createPet = await loadAt(lossy.endpoint, () => import('../../functions/create-pet.ts'));

    const response = await post({}, createPet.handler);

    expect(writes).toBe(2);
    expect(await allItems()).toMatchObject([exampleNewPet]);
    expect(response.status).toBe(201);
    expect(response.headers).not.toHaveProperty('Idempotency-Replayed');
  });
});

describe('the Idempotency-Key', () => {
  beforeEach(removeEveryPet);

  it.each([
    ['unchanged', {}],
    ['in quotes', { headers: { 'idempotency-key': ['"same"'] } }],
    ['with the API key rotated', { keyId: 'ba9876543210' }],
  ])('returns the first response again when sent %s', async (_title, request) => {
    const first = await postWithKey('same');

    const second = await postWithKey('same', request);

    expect(first).toEqual(created(petWithKey('same')));
    expect(second).toEqual(created(petWithKey('same'), replayed));
  });

  it.each([
    ['another value', bodyWith({ name: 'Max' })],
    ['a default spelled out', bodyWith({ status: 'available' })],
  ])('is rejected with a body that has %s', async (_title, otherBody) => {
    await postWithKey('reused');

    const response = await postWithKey('reused', { body: otherBody });

    expect(response).toEqual(reused);
    expect(await allItems()).toHaveLength(1);
  });

  it('replays a create that is older than a field with a default', async () => {
    await postWithKey('older');
    vi.doMock('../../shared/contract/schemas/pet.ts', async (importOriginal) => {
      const v = await import('valibot');
      const original = await importOriginal<typeof import('../../shared/contract/schemas/pet.ts')>();
      const size = { size: v.optional(v.picklist(['small', 'large']), 'small') };
      const NewPet = v.object({ ...original.NewPet.entries, ...size });
      return { ...original, NewPet, Pet: v.object({ ...original.Pet.entries, ...size }) };
    });
    const createPet = await loadAt(
      inject('dynamodbEndpoint'),
      () => import('../../functions/create-pet.ts'),
    ).finally(() => vi.doUnmock('../../shared/contract/schemas/pet.ts'));

    const response = await post({ headers: { 'Idempotency-Key': ['older'] } }, createPet.handler);

    expect(response).toEqual(created({ ...petWithKey('older'), ...{ size: 'small' } }, replayed));
  });
});
