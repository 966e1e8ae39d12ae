import * as v from 'valibot';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { handler } from '../../functions/create-pet.ts';
import { stringifyJson } from '../../shared/contract/json.ts';
import { exampleNewPet, examplePet } from '../../shared/pets/operations.ts';
import { petTable } from '../../shared/pets/pet-table.ts';
import { idFor } from '../../shared/tables/creation-digest.ts';
import { captureLog } from '../support/functions/capture-log.ts';
import { commonHeaders, errorResponse } from '../support/functions/expected-response.ts';
import { invoke, type TestRequest } from '../support/functions/invoke.ts';
import { allItems } from '../support/functions/stored-items.ts';
import { removeEveryPet } from '../support/functions/stored-pets.ts';

const log = captureLog();

const body = stringifyJson(exampleNewPet);
const bodyWith = (fields: object) => stringifyJson({ ...exampleNewPet, ...fields });

const post = (request: TestRequest = {}, create = handler) =>
  invoke(create, { method: 'POST', body, ...request });
const postWithKey = (key: string, request: TestRequest = {}, create = handler) =>
  post({ headers: { 'Idempotency-Key': [key] }, ...request }, create);

/** The example pet, as the client `acme` creates it with a key. */
const petWithKey = (key: string) => ({
  ...examplePet,
  id: idFor({ client: 'acme', idempotencyKey: key }, 0),
});

/** The exact response to a create. */
const created = (pet: { readonly id: bigint }, headers: object = {}) => ({
  status: 201,
  headers: { ...commonHeaders, Location: `https://pets.example/v1/pets/${pet.id}`, ...headers },
  body: pet,
});
const replayed = { 'Idempotency-Replayed': 'true' };

const typed = (...types: string[]): TestRequest => ({ headers: { 'content-TYPE': types } });
const encoded = (bytes: Buffer): TestRequest => ({ body: bytes.toString('base64'), isBase64Encoded: true });
const nested = (levels: number) => body.replace('{', `{"x":${'['.repeat(levels)}${']'.repeat(levels)},`);

const invalidJson = (message: string) => errorResponse(400, 'invalid_json', message);
const noBody = invalidJson('The body must be well-formed JSON.');
const malformed = invalidJson('The body must be well-formed JSON: see line 2, column 11.');
const notUtf8 = invalidJson('The body must be UTF-8.');
const forbidden = invalidJson('The body must not contain the key __proto__ or constructor.prototype.');
const tooDeep = invalidJson('The body must be nested at most 32 levels deep.');
const tooLarge = errorResponse(413, 'payload_too_large', 'The body must be at most 16 KiB.');
const wrongType = errorResponse(415, 'unsupported_media_type', 'The body must be sent as application/json.');

describe('POST /pets', () => {
  beforeEach(removeEveryPet);

  it('creates a pet for each request without a key', async () => {
    const responses = await Promise.all([post(), post()]);

    const items = await allItems(petTable);
    const pets = items.map(({ digest: _digest, lastWrite: _lastWrite, ...pet }) => pet as typeof examplePet);
    expect(pets).toMatchObject([exampleNewPet, exampleNewPet]);
    expect(new Set(responses)).toEqual(new Set(pets.map((pet) => created(pet))));
  });

  it('logs each create with client, key id, pet id and replay, never the body', async () => {
    await postWithKey('log');
    await postWithKey('log');

    const invocation = {
      requestId: expect.any(String),
      keyId: '0123456789ab',
      coldStart: expect.any(Boolean),
    };
    const details = { client: 'acme', table: 'pets', key: `${petWithKey('log').id}` };
    const line = { message: 'An item was created.', ...invocation, ...details };
    expect(log.infos().map((text) => JSON.parse(text))).toEqual([
      { ...line, isReplay: false },
      { ...line, isReplay: true },
    ]);
  });

  it.each<[title: string, request: TestRequest]>([
    ['of type Application/JSON', typed('Application/JSON')],
    ['of a type with a parameter after spaces', typed('application/json  ; v=1')],
    ['nested 32 levels deep', { body: nested(31) }],
    ['of 16 KiB, encoded', encoded(Buffer.from(body.padEnd(16 * 1024)))],
  ])('accepts a body %s', async (_title, request) => {
    const response = await post(request);

    expect(response).toMatchObject({ status: 201, body: exampleNewPet });
  });

  it.each<[title: string, request: TestRequest, expected: object]>([
    ['another type', typed('application/jsonp'), wrongType],
    ['a parameter without a type', typed('; application/json'), wrongType],
    ['two types', typed('application/json', 'application/json'), wrongType],
    ['no body', { body: '' }, noBody],
    ['a malformed body', { body: '{\n  "name": Bella}' }, malformed],
    ['a forbidden key', { body: '{"tag":{"constructor":{"prototype":{}}}}' }, forbidden],
    ['33 levels', { body: nested(32) }, tooDeep],
    ['16 KiB and a byte of UTF-8', { body: `${body.padEnd(16 * 1024 - 1)}é` }, tooLarge],
    ['16 KiB and a byte, encoded', encoded(Buffer.from(body.padEnd(16 * 1024 + 1))), tooLarge],
    ['Latin-1', encoded(Buffer.from(bodyWith({ name: 'Béla' }), 'latin1')), notUtf8],
  ])('rejects %s', async (_title, request, expected) => {
    expect(await post(request)).toEqual(expected);
  });
});

describe('the Idempotency-Key', () => {
  beforeEach(removeEveryPet);

  it('returns the first response again, even if the API key was rotated', async () => {
    const first = await postWithKey('same');

    const second = await postWithKey('same', { keyId: 'ba9876543210' });

    expect(first).toEqual(created(petWithKey('same')));
    expect(second).toEqual(created(petWithKey('same'), replayed));
  });

  it('is rejected with a body that has another unknown field', async () => {
    await postWithKey('reused');

    const response = await postWithKey('reused', { body: bodyWith({ tags: ['small'] }) });

    const message =
      'This Idempotency-Key was used before with another body: repeat that body, or send a new key to create another.';
    expect(response).toEqual(errorResponse(422, 'idempotency_key_reused', message));
  });

  it.each([
    ['in the body', { addedField: 'large' }],
    ['with a default', {}],
  ])('replays on versions before and after a field was added, %s', async (_title, fields) => {
    const request = { body: bodyWith(fields) };
    vi.resetModules();
    const { NewPet, Pet } = await import('../../shared/pets/pet.ts');
    const addedField = v.optional(v.picklist(['small', 'large']), 'small');
    for (const { entries } of [NewPet, Pet]) Object.assign(entries, { addedField });
    const newer = await import('../../functions/create-pet.ts');

    await postWithKey('older', request);
    await postWithKey('newer', request, newer.handler);
    const upgraded = await postWithKey('older', request, newer.handler);
    const rolledBack = await postWithKey('newer', request);

    const olderWithField = { ...petWithKey('older'), addedField: 'small' };
    expect(upgraded).toEqual(created(olderWithField, replayed));
    expect(rolledBack).toEqual(created(petWithKey('newer'), replayed));
  });
});
