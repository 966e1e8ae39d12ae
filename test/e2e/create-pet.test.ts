import { describe, expect, it } from 'vitest';
import { baseUrl, call } from '../support/e2e/api-client.ts';
import { commonHeaders, expectError } from '../support/e2e/expect-error.ts';
import { createOnce, petOf, readPagesWith } from '../support/e2e/pets.ts';

const maxBodyBytes = 16 * 1024;
const bella = { name: 'Bella', categoryId: 1 };

describe('POST /pets', () => {
  it('responds with the pet alone, available by default, and where getPet finds it from then on', async () => {
    const created = await call('POST', '/pets', { body: { ...bella, id: 7, creationDigest: 'x' } });
    const other = await call('POST', '/pets', { body: bella });
    const { id } = petOf(created);
    const got = await call('GET', `/pets/${id}`);

    expect(created).toMatchObject({
      status: 201,
      headers: { ...commonHeaders, 'content-type': 'application/json', location: `${baseUrl}/pets/${id}` },
    });
    expect(created.body).toStrictEqual({ id, ...bella, status: 'available' });
    expect([7, petOf(other).id]).not.toContain(id);
    expect(got).toMatchObject({ status: 200, text: created.text });
  });

  it.each([
    ['a decomposed letter', 'Amélie'.normalize('NFD')],
    ['quotes, backslashes and control characters', '"\\/\b\n\t\u0000\u007f\u2028'],
    ['255 emoji', '🐶'.repeat(255)],
  ])('keeps a name with %s exactly as it is', async (_title, name) => {
    const created = await createOnce({ ...bella, name });
    const got = await call('GET', `/pets/${petOf(created).id}`);

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
    expect([created.text, got.text]).toEqual([text, text]);
    expect(pages.map((page) => page.text).join()).toContain(text);
  });

  it('refuses a body with a message for each of its fields', async () => {
    const response = await call('POST', '/pets', { body: { name: '', categoryId: '1', status: 1 } });

    const message =
      'name must be a string of 1 to 255 characters, not only white space. ' +
      'categoryId must be an integer from -9223372036854775808 to 9223372036854775807. ' +
      'status must be one of available, pending, sold.';
    expectError(response, 400, 'invalid_body', message);
  });

  it.each([
    ['without a body', undefined, undefined],
    ['that is no JSON', '{"name":"Bella"} x', 'The body must be well-formed JSON.'],
    [
      'that is not safe to parse',
      '{"__proto__":{}}',
      'The body must not have the key __proto__ or constructor.prototype.',
    ],
    [
      'that is nested 33 levels deep',
      `${'['.repeat(33)}${']'.repeat(33)}`,
      'The body must be nested at most 32 levels deep.',
    ],
  ])('refuses a request %s', async (_title, body, message) => {
    expectError(await call('POST', '/pets', { body }), 400, 'invalid_json', message);
  });

  it.each([undefined, 'Application/JSON;charset="UTF-8"; profile=x'])(
    'takes 16 KiB of the content type %s',
    async (contentType) => {
      const body = JSON.stringify(bella).padEnd(maxBodyBytes);

      expect(await createOnce(body, { 'Content-Type': contentType })).toMatchObject({ status: 201 });
    },
  );

  it('refuses a body of another content type', async () => {
    const headers = { 'Content-Type': 'text/plain; a=application/json' };

    expectError(await call('POST', '/pets', { headers, body: bella }), 415, 'unsupported_media_type');
  });

  it.each([
    ['of a byte more than 16 KiB', 'application/json', JSON.stringify(bella).padEnd(maxBodyBytes + 1)],
    ['of 16 KiB of characters, but more bytes', 'application/json', `"${'é'.repeat(maxBodyBytes - 2)}"`],
    ['larger than API Gateway takes, of whatever type', 'text/plain', ' '.repeat(10 * 1024 * 1024 + 1)],
  ])('refuses a body %s', async (_title, contentType, body) => {
    const response = await call('POST', '/pets', { headers: { 'Content-Type': contentType }, body });

    expectError(response, 413, 'payload_too_large');
  });
});
