import { describe, expect, it } from 'vitest';
import { baseUrl, call } from '../support/e2e/api-client.ts';
import { commonHeaders, expectError } from '../support/e2e/expect-error.ts';
import { createOnce, petOf } from '../support/e2e/pets.ts';

const headers = {
  ...commonHeaders,
  'content-type': 'application/json',
  deprecation: '@1795132800',
  sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
  link: `<${baseUrl}/pets>; rel="successor-version"`,
};

describe('GET /pets/{petId}', () => {
  it('responds with the pet and the deprecation headers', async () => {
    const { id } = petOf(await createOnce({ name: 'Luna', categoryId: 2, status: 'pending' }));

    const response = await call('GET', `/pets/${id}`);

    expect(response).toMatchObject({ status: 200, headers });
    expect(response.body).toMatchObject({ id, name: 'Luna', categoryId: 2, status: 'pending' });
  });

  it('responds with 404 and the deprecation headers for an id that no pet can have', async () => {
    const response = await call('GET', '/pets/%201');

    expectError(response, 404, 'not_found');
    expect(response).toMatchObject({ headers });
  });
});
