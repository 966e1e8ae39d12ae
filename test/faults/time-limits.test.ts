import { afterAll, describe, expect, inject, it, vi } from 'vitest';
import { errorTable } from '../../shared/contract/error-table.ts';
import { type FaultKind, faultKinds, startFaultProxy } from '../support/faults/fault-proxy.ts';
import { invoke } from '../support/functions/invoke.ts';

let fault: FaultKind | undefined;
const proxy = await startFaultProxy(inject('dynamodbEndpoint'), () => fault);
process.env['AWS_ENDPOINT_URL'] = proxy.endpoint;
const { handler: createPet } = await import('../../functions/create-pet.ts');
const { handler: getPet } = await import('../../functions/get-pet.ts');
const { handler: listPets } = await import('../../functions/list-pets.ts');

const harmless: readonly FaultKind[] = ['delay', 'slow answer'];
const { message } = errorTable.service_unavailable;
const unavailable = {
  status: 503,
  headers: { 'Retry-After': '1', 'Content-Type': 'application/json' },
  body: { code: 'service_unavailable', message, status: 503n },
};

afterAll(proxy.close);

describe.each(faultKinds)('with a DynamoDB whose every answer meets: %s', (kind) => {
  const isHarmless = harmless.includes(kind);

  it(`answers ${isHarmless ? 'all the same' : '503 with Retry-After'} in under 5 seconds`, async () => {
    const { answers, milliseconds } = await askEveryHandler(kind);

    expect(milliseconds).toBeLessThan(5000);
    if (isHarmless) expect(answers.map(({ status }) => status)).toEqual([201, 404, 200]);
    else for (const answer of answers) expect(answer).toMatchObject(unavailable);
  });
});

describe('with a DynamoDB whose answer trickles in for minutes', () => {
  it('answers 503 with Retry-After before Lambda ends the function', async () => {
    const { answers, milliseconds } = await askEveryHandler('trickle');

    expect(milliseconds).toBeLessThan(5000);
    expect(answers.at(-1)).toMatchObject(unavailable);
  });
});

/** Asks createPet, getPet and listPets at once. */
async function askEveryHandler(kind: FaultKind) {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  fault = kind;
  const startedAt = performance.now();
  const answers = await Promise.all([
    invoke(createPet, { method: 'POST', body: '{"name":"Bella","categoryId":1}' }),
    invoke(getPet, { petId: '1' }),
    invoke(listPets),
  ]);
  fault = undefined;
  return { answers, milliseconds: performance.now() - startedAt };
}
