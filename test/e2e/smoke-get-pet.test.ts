import { expect, inject, it } from 'vitest';
import { getPet } from '../../shared/pets/operations.ts';
import { call } from '../support/e2e/api-client.ts';
import { expectError } from '../support/e2e/expect-error.ts';
import { readPage } from '../support/e2e/pets.ts';

it('a stage gets a pet that it lists', async () => {
  const [pet] = (await readPage('?limit=1')).pets;
  // The local API of the tests has a clock of its own.
  const hasEnded = !inject('localApi') && Date.now() >= Date.parse(getPet.deprecation.sunset);

  const response = await call('GET', `/pets/${pet?.id ?? 1}`);

  if (hasEnded) expectError(response, 410, 'gone');
  else if (pet) expect(response.body).toEqual(pet);
  else expectError(response, 404, 'not_found');
});
