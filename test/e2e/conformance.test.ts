import { describe, expect, it } from 'vitest';
import { call } from '../support/e2e/api-client.ts';
import { type ApiResponse, deviations } from '../support/e2e/conformance.ts';

/** A response as described, to be bent. */
async function goodResponse(): Promise<ApiResponse> {
  return call('POST', '/pets', { body: newPet, headers: { 'Idempotency-Key': 'conformance' } });
}

const newPet = { name: 'Bella', categoryId: 1 };

describe('conformance', () => {
  it('finds nothing in a response that is as described', async () => {
    const response = await goodResponse();

    expect(deviations('POST', '/pets', { body: newPet }, response)).toEqual([]);
  });

  it('finds a field that was renamed', async () => {
    const response = await goodResponse();

    const { name: petName, ...rest } = Object(response.body);
    const found = deviations('POST', '/pets', { body: newPet }, { ...response, body: { ...rest, petName } });

    expect(found).toEqual(["data must have required property 'name'"]);
  });

  it.each(['location', 'cache-control'])('finds the header %s dropped', async (dropped) => {
    const response = await goodResponse();

    const headers = Object.fromEntries(Object.entries(response.headers).filter(([name]) => name !== dropped));
    const found = deviations('POST', '/pets', { body: newPet }, { ...response, headers });

    expect(found).toEqual([`header ${dropped} is missing`]);
  });

  it('finds a status, a header and a content type that are not described', async () => {
    const response = await goodResponse();

    const teapot = deviations('POST', '/pets', { body: newPet }, { ...response, status: 418 });
    const headers = { ...response.headers, 'x-debug': '1', 'content-type': 'text/html' };
    const extra = deviations('POST', '/pets', { body: newPet }, { ...response, headers });

    expect(teapot).toEqual(['status 418 is not described']);
    expect(extra).toEqual([
      'header x-debug is not described',
      'content type is text/html, not application/json',
    ]);
  });

  it('finds a request that was let through although it is not as described', async () => {
    const response = await goodResponse();

    const found = deviations('POST', '/pets', { body: { name: 'Bella' } }, response);

    expect(found).toEqual(["data must have required property 'categoryId'"]);
  });
});
