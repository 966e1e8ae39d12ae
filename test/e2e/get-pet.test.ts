import { describe, expect, it } from 'vitest';
import { exampleNewPet, getPet } from '../../shared/pets/operations.ts';
import { baseUrl, call } from '../support/e2e/api-client.ts';
import { commonHeaders, expectError } from '../support/e2e/expect-error.ts';
import { petOf } from '../support/e2e/pets.ts';

const deprecated = {
  ...commonHeaders,
  'content-type': 'application/json',
  deprecation: '@1795132800',
  // An owner may give clients more time.
  sunset: new Date(getPet.deprecation.sunset).toUTCString(),
  link: `<${baseUrl}/pets>; rel="successor-version"`,
};

describe('GET /pets/{petId}', () => {
  it('finds a new pet immediately', async () => {
    const created = await call('POST', '/pets', { body: exampleNewPet });

    expect(await call('GET', `/pets/${petOf(created).id}`)).toMatchObject({
      status: 200,
      headers: deprecated,
      text: created.text,
    });
  });

  it('responds with 404 and the deprecation headers for an id that no pet can have', async () => {
    const response = await call('GET', '/pets/%201');

    expectError(response, 404, 'not_found');
    expect(response).toMatchObject({ headers: deprecated });
  });
});
