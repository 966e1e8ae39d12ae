import { once } from 'node:events';
import { request } from 'node:http';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import { handler } from '../../functions/create-pet.ts';
import type { Pet } from '../../shared/contract/pet.ts';
import { petIdOf } from '../../shared/tables/creation.ts';
import { readPet } from '../../shared/tables/pets-table.ts';
import { captureErrorLog } from '../support/functions/error-log.ts';
import {
  commonHeaders,
  errorAnswer,
  internalError,
  serviceUnavailable,
} from '../support/functions/expected-response.ts';
import { invoke, type TestAnswer, type TestRequest } from '../support/functions/invoke.ts';
import { allItems, petItem, putItem, removeEveryPet } from '../support/functions/stored-pets.ts';
import { loadAt, nowhere, startStubDynamodb } from '../support/functions/stub-dynamodb.ts';

const log = captureErrorLog();
const body = '{"name":"Bella","categoryId":1}';
const bella = { name: 'Bella', categoryId: 1n, status: 'available' };

const post = (request: TestRequest = {}) => invoke(handler, { method: 'POST', body, ...request });
const postWithKey = (key: string, request: TestRequest = {}) =>
  post({ headers: { 'Idempotency-Key': [key] }, ...request });

/** The answer that says that a pet was created, exactly. */
const created = (answer: TestAnswer, pet: object, headers: object = {}) => {
  const { id } = answer.body as Pet;
  return {
    status: 201,
    headers: { ...commonHeaders, Location: `http://pets.example/v1/pets/${id}`, ...headers },
    body: { id, ...pet },
  };
};
const replayed = { 'Idempotency-Replayed': 'true' };

const nameMessage = 'name must be a string of 1 to 255 characters, not only white space.';
const categoryIdMessage = 'categoryId must be an integer from -9223372036854775808 to 9223372036854775807.';
const statusMessage = 'status must be one of available, pending, sold.';

const invalidJson = errorAnswer(400, 'invalid_json', 'The body must be well-formed JSON.');
const unsupportedMediaType = errorAnswer(
  415,
  'unsupported_media_type',
  'The body must be sent as application/json.',
);
const payloadTooLarge = errorAnswer(413, 'payload_too_large', 'The body must be at most 16 KiB.');

describe('POST /pets', () => {
  beforeEach(removeEveryPet);

  it('creates a pet, available where no status is given', async () => {
    const answer = await post();

    expect(answer).toEqual(created(answer, bella));
    const { id } = answer.body as Pet;
    expect(await readPet(id)).toEqual({ id, ...bella });
  });

  it.each(['available', 'pending', 'sold'])('creates a pet that is %s', async (status) => {
    const answer = await post({ body: JSON.stringify({ name: 'Bella', categoryId: 1, status }) });

    expect(answer).toEqual(created(answer, { ...bella, status }));
  });

  it.each([
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
    ['9007199254740993', 9007199254740993n],
    ['1e3', 1000n],
    ['0', 0n],
  ])('keeps the categoryId %s exactly', async (categoryId, integer) => {
    const answer = await post({ body: `{"name":"Bella","categoryId":${categoryId}}` });

    expect(answer).toEqual(created(answer, { ...bella, categoryId: integer }));
  });

  it.each(['  Bella  ', 'Bel\u0000la', '🐈‍⬛', 'e\u0301', '\u2028x', '"\\', '$context.x', '__proto__'])(
    'keeps the name %j exactly as sent',
    async (name) => {
      const answer = await post({ body: JSON.stringify({ name, categoryId: 1 }) });

      const { id } = answer.body as Pet;
      expect(answer).toEqual(created(answer, { ...bella, name }));
      expect(await readPet(id)).toEqual({ id, ...bella, name });
    },
  );

  it('neither stores nor returns unknown fields, id included', async () => {
    const answer = await post({ body: '{"id":7,"name":"Bella","categoryId":1,"tag":{"deep":[1.5]}}' });

    const { id } = answer.body as Pet;
    expect(id).not.toBe(7n);
    expect(answer).toEqual(created(answer, bella));
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
      const answer = await post({ headers: { [name]: [value] } });

      expect(answer).toEqual(created(answer, bella));
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
      const answer = await post({ headers: { 'Content-Type': [contentType] } });

      expect(answer).toEqual(unsupportedMediaType);
    });

    it('is refused with two content types', async () => {
      const answer = await post({ headers: { 'Content-Type': ['application/json', 'application/json'] } });

      expect(answer).toEqual(unsupportedMediaType);
    });

    it('may have exactly 16 KiB', async () => {
      const answer = await post({ body: body.padEnd(16 * 1024) });

      expect(answer).toEqual(created(answer, bella));
    });

    it.each([
      ['a byte', body.padEnd(16 * 1024 + 1)],
      ['a byte of UTF-8', `${body.padEnd(16 * 1024 - 6)}"${'é'.repeat(3)}`],
      ['a byte, malformed', '{'.repeat(16 * 1024 + 1)],
    ])('is refused with 16 KiB and %s', async (_title, large) => {
      const answer = await post({ body: large });

      expect(answer).toEqual(payloadTooLarge);
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
      '{"name":"Bella","categoryId":1,"__proto__":{"status":"sold"}}',
      '{"name":"Bella","categoryId":1,"tag":{"constructor":{"prototype":{}}}}',
    ])('is refused when it is %j', async (malformed) => {
      const answer = await post({ body: malformed });

      expect(answer).toEqual(invalidJson);
    });

    it.each([
      ['{}', 'name is required. categoryId is required.'],
      ['null', 'The body must be a JSON object.'],
      ['{"name":"\\ud800","categoryId":1}', nameMessage],
      ['{"name":"Bella","categoryId":"1"}', categoryIdMessage],
      ['{"name":"Bella","categoryId":1.5}', categoryIdMessage],
      ['{"name":"Bella","categoryId":9223372036854775808}', categoryIdMessage],
      ['{"name":"Bella","categoryId":1,"status":null}', statusMessage],
      ['{"name":" ","categoryId":1,"status":"Sold"}', `${nameMessage} ${statusMessage}`],
    ])('is refused when it is %s', async (invalid, message) => {
      const answer = await post({ body: invalid });

      expect(answer).toEqual(errorAnswer(400, 'invalid_body', message));
    });

    it('is refused as an array at any depth of nesting, never a defect', async () => {
      const answerAt = (depth: number) => post({ body: `${'['.repeat(depth)}1${']'.repeat(depth)}` });
      const statuses: number[] = [];

      // The deepest nesting that can still be parsed depends on the stack: find it, and what lies next to it.
      let [shallow, deep] = [1, 8192];
      while (deep - shallow > 1) {
        const depth = Math.floor((shallow + deep) / 2);
        const { status, body: error } = await answerAt(depth);
        statuses.push(status);
        if ((error as { code: string }).code === 'invalid_json') deep = depth;
        else shallow = depth;
      }

      expect(new Set(statuses)).toEqual(new Set([400]));
      expect(log.lines()).toEqual([]);
    });
  });

  describe('the Idempotency-Key', () => {
    const reused = errorAnswer(
      422,
      'idempotency_key_reused',
      'This Idempotency-Key was used before with another body: send a new key for a new pet.',
    );

    it('gives the first answer again', async () => {
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

      const answer = await postWithKey('reused', { body: other });

      expect(answer).toEqual(reused);
    });

    it('is not used up by a request that was refused', async () => {
      await postWithKey('refused', { body: '{}' });

      const answer = await postWithKey('refused');

      expect(answer).toEqual(created(answer, bella));
    });

    it('belongs to one client', async () => {
      const ours = await postWithKey('shared', { client: 'acme' });

      const theirs = await postWithKey('shared', { client: 'umbrella' });

      expect(theirs).toEqual(created(theirs, bella));
      expect((theirs.body as Pet).id).not.toBe((ours.body as Pet).id);
    });

    it('makes one pet of 50 requests at once', async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => postWithKey('parallel')));

      const pet = { id: petIdOf({ client: 'acme', key: 'parallel' }, 0), ...bella };
      expect(answers.filter(({ headers }) => 'Idempotency-Replayed' in headers)).toHaveLength(49);
      for (const { status, body } of answers) expect([status, body]).toEqual([201, pet]);
    });

    it.each([
      ['empty', ['']],
      ['with a space', ['a b']],
      ['longer than 255 characters', ['k'.repeat(256)]],
      ['outside ASCII', ['clé']],
      ['given twice', ['one', 'one']],
    ])('is refused %s', async (_title, values) => {
      const answer = await post({ headers: { 'Idempotency-Key': values } });

      expect(answer).toEqual(
        errorAnswer(
          400,
          'invalid_header',
          'Idempotency-Key must be given once, as 1 to 255 visible ASCII characters.',
        ),
      );
    });
  });

  it('makes one pet, and tells of no replay, when the answer to its write is lost on the way', async () => {
    const endpoint = inject('dynamodbEndpoint');
    let writes = 0;
    await using lossy = await startStubDynamodb(async ({ action, headers, body: call }, response) => {
      const [answer] = await once(request(endpoint, { method: 'POST', headers }).end(call), 'response');
      const isCreate = action === 'PutItem' && 'name' in JSON.parse(call).Item;
      if (isCreate) writes += 1;
      if (isCreate && writes === 1) response.destroy();
      else answer.pipe(response.writeHead(answer.statusCode));
    });
    const createPet = await loadAt(lossy.endpoint, () => import('../../functions/create-pet.ts'));

    const answer = await invoke(createPet.handler, { method: 'POST', body });

    expect(answer).toEqual(created(answer, bella));
    expect(writes).toBe(2);
    expect(await allItems()).toHaveLength(1);
  });

  it('answers 500 where the pet it finds is damaged, and logs what is damaged', async () => {
    const id = petIdOf({ client: 'acme', key: 'damaged' }, 0);
    await putItem({ ...petItem(id), categoryId: 'cats' });

    const answer = await postWithKey('damaged');

    expect(answer).toEqual(internalError);
    expect(log.lines()).toEqual([expect.stringContaining('A stored item has invalid categoryId.')]);
  });

  it('answers 503 while DynamoDB is away', async () => {
    const createPet = await loadAt(nowhere, () => import('../../functions/create-pet.ts'));

    const answer = await invoke(createPet.handler, { method: 'POST', body });

    expect(answer).toEqual(serviceUnavailable);
    expect(log.lines().at(-1)).toContain('ECONNREFUSED');
  });
});
