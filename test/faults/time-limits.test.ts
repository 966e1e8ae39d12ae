import { afterAll, expect, inject, it, vi } from 'vitest';
import { errorTable } from '../../shared/contract/errors/error-table.ts';
import { startFaultProxy } from '../support/faults/fault-proxy.ts';
import { invoke } from '../support/functions/invoke.ts';

// The slowest of the faults; test/shared/lambda has each of them.
const proxy = await startFaultProxy(inject('dynamodbEndpoint'), () => 'silence');
process.env['AWS_ENDPOINT_URL'] = proxy.endpoint;
const { handler: createPet } = await import('../../functions/create-pet.ts');
const { handler: getPet } = await import('../../functions/get-pet.ts');
const { handler: listPets } = await import('../../functions/list-pets.ts');

afterAll(proxy.close);

it('every handler responds 503 with Retry-After before Lambda ends it, while DynamoDB is silent', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const startedAt = performance.now();

  const responses = await Promise.all([
    invoke(createPet, { method: 'POST', body: '{"name":"Bella","categoryId":1}' }),
    invoke(getPet, { petId: '1' }),
    invoke(listPets),
  ]);

  expect(performance.now() - startedAt).toBeLessThan(5000);
  const { message } = errorTable.service_unavailable;
  for (const response of responses) {
    expect(response).toMatchObject({
      status: 503,
      headers: { 'Retry-After': '1', 'Content-Type': 'application/json' },
      body: { code: 'service_unavailable', message, status: 503n },
    });
  }
});
