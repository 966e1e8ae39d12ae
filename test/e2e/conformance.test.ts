import { describe, expect, it } from 'vitest';
import { call } from '../support/e2e/api-client.ts';
import { type ApiAnswer, deviations } from '../support/e2e/conformance.ts';

/** An answer that is as described, to be bent. */
async function goodAnswer(): Promise<ApiAnswer> {
  return call('POST', '/pets', { body: newPet, headers: { 'Idempotency-Key': 'conformance' } });
}

const newPet = { name: 'Bella', categoryId: 1 };

describe('conformance', () => {
  it('finds nothing in an answer that is as described', async () => {
    const answer = await goodAnswer();

    expect(deviations('POST', '/pets', { body: newPet }, answer)).toEqual([]);
  });

  it('finds a field that was renamed', async () => {
    const answer = await goodAnswer();

    const { name: petName, ...rest } = Object(answer.body);
    const found = deviations('POST', '/pets', { body: newPet }, { ...answer, body: { ...rest, petName } });

    expect(found).toEqual(["data must have required property 'name'"]);
  });

  it.each(['location', 'cache-control'])('finds the header %s dropped', async (dropped) => {
    const answer = await goodAnswer();

    const headers = Object.fromEntries(Object.entries(answer.headers).filter(([name]) => name !== dropped));
    const found = deviations('POST', '/pets', { body: newPet }, { ...answer, headers });

    expect(found).toEqual([`header ${dropped} is missing`]);
  });

  it('finds a status, a header and a content type that are not described', async () => {
    const answer = await goodAnswer();

    const teapot = deviations('POST', '/pets', { body: newPet }, { ...answer, status: 418 });
    const headers = { ...answer.headers, 'x-debug': '1', 'content-type': 'text/html' };
    const extra = deviations('POST', '/pets', { body: newPet }, { ...answer, headers });

    expect(teapot).toEqual(['status 418 is not described']);
    expect(extra).toEqual([
      'header x-debug is not described',
      'content type is text/html, not application/json',
    ]);
  });

  it('finds a request that was let through although it is not as described', async () => {
    const answer = await goodAnswer();

    const found = deviations('POST', '/pets', { body: { name: 'Bella' } }, answer);

    expect(found).toEqual(["data must have required property 'categoryId'"]);
  });
});
