import { describe, expect, it } from 'vitest';
import { baseUrl, call } from '../support/e2e/api-client.ts';
import { commonHeaders, expectError } from '../support/e2e/expect-error.ts';
import { createOnce, petOf, readPagesWith } from '../support/e2e/pets.ts';

const maxBodyBytes = 16 * 1024;
const bella = { name: 'Bella', categoryId: 1 };

const nameMessage = 'name must be a string of 1 to 255 characters, not only white space.';
const statusMessage = 'status must be one of available, pending, sold.';
const categoryIdMessage = 'categoryId must be an integer from -9223372036854775808 to 9223372036854775807.';

describe('POST /pets', () => {
  it('responds with the pet and where it is, and from then on getPet finds it', async () => {
    const created = await call('POST', '/pets', { body: { ...bella, status: 'sold' } });
    const got = await call('GET', created.headers['location']?.slice(baseUrl.length) ?? '');

    const { id } = petOf(created);
    expect(created.status).toBe(201);
    expect(created.body).toStrictEqual({ id, name: 'Bella', categoryId: 1, status: 'sold' });
    expect(created.headers).toMatchObject({ ...commonHeaders, 'content-type': 'application/json' });
    expect(created.headers['location']).toBe(`${baseUrl}/pets/${id}`);
    expect(got.status).toBe(200);
    expect(got.text).toBe(created.text);
  });

  it('gives two pets that are alike ids of their own', async () => {
    const first = await call('POST', '/pets', { body: bella });
    const second = await call('POST', '/pets', { body: bella });

    expect(petOf(second).id).not.toBe(petOf(first).id);
  });

  it('makes a pet available unless it is told otherwise', async () => {
    const response = await createOnce(bella);

    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({ status: 'available' });
  });

  it('ignores unknown fields, id included', async () => {
    const response = await createOnce({ ...bella, id: 7, colour: 'brown', creationDigest: 'x' });

    const { id } = petOf(response);
    expect(response.status).toBe(201);
    expect(response.body).toStrictEqual({ id, ...bella, status: 'available' });
    expect(id).not.toBe(7);
  });

  it.each([
    ['a space before and after', ' Bella '],
    ['many scripts', 'Żółw 猫 כלב قط'],
    ['a decomposed letter', 'Amélie'.normalize('NFD')],
    ['an emoji of many code points', '🐈‍⬛'],
    ['quotes, backslashes and control characters', '"\\/\b\n\t\u0000\u007f\u2028'],
    ['255 characters', 'x'.repeat(255)],
    ['255 emoji', '🐶'.repeat(255)],
  ])('keeps a name with %s exactly as it is', async (_title, name) => {
    const created = await createOnce({ ...bella, name });
    const got = await call('GET', `/pets/${petOf(created).id}`);

    expect(created.status).toBe(201);
    expect(petOf(created).name).toBe(name);
    expect(got.text).toBe(created.text);
  });

  it.each([
    ['9223372036854775807', '9223372036854775807'],
    ['-9223372036854775808', '-9223372036854775808'],
    ['1e3', '1000'],
  ])('responds with the categoryId %s with %s, digit for digit', async (sent, returned) => {
    const created = await createOnce(`{"name":"Bella","categoryId":${sent}}`);
    const pet = petOf(created);
    const got = await call('GET', `/pets/${pet.id}`);
    const pages = await readPagesWith([pet], '?limit=100&status=available');

    const text = `{"id":${pet.id},"name":"Bella","categoryId":${returned},"status":"available"}`;
    expect(created.text).toBe(text);
    expect(got.text).toBe(text);
    expect(pages.map((page) => page.text).join()).toContain(text);
  });

  it.each([
    ['{}', 'name is required. categoryId is required.'],
    ['{"name":"","categoryId":"1","status":1}', `${nameMessage} ${categoryIdMessage} ${statusMessage}`],
    ['null', 'The body must be a JSON object.'],
  ])('refuses the body %s', async (body, message) => {
    const response = await call('POST', '/pets', { body });

    expectError(response, 400, 'invalid_body', message);
  });

  it.each([
    ['{', 'The body must be well-formed JSON.'],
    ['{"name":"Bella"} x', 'The body must be well-formed JSON.'],
    ['{"__proto__":{}}', 'The body must not have the key __proto__ or constructor.prototype.'],
  ])('refuses %j, which is no JSON or not safe to parse', async (body, message) => {
    const response = await call('POST', '/pets', { body });

    expectError(response, 400, 'invalid_json', message);
  });

  it('refuses a body that is nested 33 levels deep', async () => {
    const response = await call('POST', '/pets', {
      body: { ...bella, tag: JSON.parse('['.repeat(32) + ']'.repeat(32)) },
    });

    expectError(response, 400, 'invalid_json', 'The body must be nested at most 32 levels deep.');
  });

  it('refuses a request without a body', async () => {
    const response = await call('POST', '/pets');

    expectError(response, 400, 'invalid_json');
  });

  it.each([undefined, 'Application/JSON;charset="UTF-8"; profile=x'])(
    'takes a body of the content type %s',
    async (contentType) => {
      const response = await createOnce(bella, { 'Content-Type': contentType });

      expect(response.status).toBe(201);
    },
  );

  it.each(['text/plain; a=application/json'])(
    'refuses a body of the content type %s',
    async (contentType) => {
      const response = await call('POST', '/pets', { headers: { 'Content-Type': contentType }, body: bella });

      expectError(response, 415, 'unsupported_media_type');
    },
  );

  it('takes a body of 16 KiB', async () => {
    const response = await createOnce(JSON.stringify(bella).padEnd(maxBodyBytes));

    expect(response.status).toBe(201);
  });

  it.each([
    ['of a byte more than 16 KiB', JSON.stringify(bella).padEnd(maxBodyBytes + 1)],
    ['of 16 KiB of characters, but more bytes', `"${'é'.repeat(maxBodyBytes - 2)}"`],
  ])('refuses a body %s', async (_title, body) => {
    const response = await call('POST', '/pets', { body });

    expectError(response, 413, 'payload_too_large');
  });

  it('does not even look at the content type of a body that is larger than API Gateway takes', async () => {
    const response = await call('POST', '/pets', {
      headers: { 'Content-Type': 'text/plain' },
      body: ' '.repeat(10 * 1024 * 1024 + 1),
    });

    expectError(response, 413, 'payload_too_large');
  });
});
