import { describe, expect, it } from 'vitest';
import { stringifyJson } from '../../shared/contract/json.ts';
import { exampleNewPet, examplePet } from '../../shared/pets/operations.ts';
import { baseUrl, call } from '../support/e2e/api-client.ts';
import { commonHeaders, expectError } from '../support/e2e/expect-error.ts';
import { createOnce, largestPages, petOf, readPagesWith } from '../support/e2e/pets.ts';

const body = stringifyJson(exampleNewPet);

// The function's tests cover the rules of the body.
describe('POST /pets', () => {
  it('creates a pet', async () => {
    const created = await call('POST', '/pets', { body });

    const { id } = petOf(created);
    expect(created).toMatchObject({
      status: 201,
      headers: { ...commonHeaders, 'content-type': 'application/json', location: `${baseUrl}/pets/${id}` },
      body: { ...JSON.parse(stringifyJson(examplePet)), id },
    });
  });

  it('keeps a name exactly as it is', async () => {
    const name = `${'Amélie'.normalize('NFD')} "\\/\b\n\t\u0000\u007f\u2028 ${'🐶'.repeat(200)}`;

    expect(petOf(await createOnce({ name })).name).toBe(name);
  });

  it.each([
    ['9223372036854775807', '9223372036854775807'],
    ['-9223372036854775808', '-9223372036854775808'],
    ['1e3', '1000'],
  ])('responds with the categoryId %s as %s', async (sent, returned) => {
    const created = await createOnce(body.replace(/"categoryId":\d+/, `"categoryId":${sent}`));

    expect(created.text).toContain(`"categoryId":${returned},`);
    const pages = await readPagesWith([petOf(created)], `?${largestPages}&status=available`);
    expect(pages.map(({ text }) => text).join()).toContain(created.text);
  });

  it('rejects a body of another content type', async () => {
    const headers = { 'Content-Type': 'text/plain; a=application/json' };

    expectError(await call('POST', '/pets', { headers, body }), 415, 'unsupported_media_type');
  });

  it('rejects a body larger than API Gateway accepts', async () => {
    // The function would reject this type.
    const headers = { 'Content-Type': 'text/plain' };
    const response = await call('POST', '/pets', { headers, body: ' '.repeat(10 * 1024 * 1024 + 1) });

    expectError(response, 413, 'payload_too_large');
  });
});
