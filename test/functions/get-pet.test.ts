import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handler } from '../../functions/get-pet.ts';
import { captureErrorLog } from '../support/functions/error-log.ts';
import {
  commonHeaders,
  errorAnswer,
  internalError,
  serviceUnavailable,
} from '../support/functions/expected-response.ts';
import { invoke, type TestAnswer } from '../support/functions/invoke.ts';
import { petItem, putItem, removeEveryPet } from '../support/functions/stored-pets.ts';
import { loadAt, nowhere } from '../support/functions/stub-dynamodb.ts';

const log = captureErrorLog();

const announcement = {
  Deprecation: '@1795132800',
  Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
  Link: '<http://pets.example/v1/pets>; rel="successor-version"',
};
const announcing = (answer: TestAnswer) => ({ ...answer, headers: { ...answer.headers, ...announcement } });

const bella = {
  status: 200,
  headers: { ...commonHeaders, ...announcement },
  body: { id: 12n, name: 'Bella', categoryId: 1n, status: 'sold' },
};
const notFound = announcing(errorAnswer(404, 'not_found', 'The requested resource could not be found.'));
const gone = announcing(
  errorAnswer(410, 'gone', 'This operation has been removed: use GET /pets with the status filter.'),
);

describe('GET /pets/{petId}', () => {
  beforeEach(removeEveryPet);
  afterEach(() => {
    vi.useRealTimers();
  });

  it('answers a pet that exists', async () => {
    await putItem(petItem(12n));

    const answer = await invoke(handler, { petId: '12' });

    expect(answer).toEqual(bella);
  });

  it.each(['12', '0'])('answers 404 for %s, which no pet has', async (petId) => {
    const answer = await invoke(handler, { petId });

    expect(answer).toEqual(notFound);
  });

  it.each([
    ['still answers a pet', '2030-12-04T23:59:59.999Z', bella],
    ['is gone', '2030-12-05T00:00:00.000Z', gone],
    ['is gone', '2031-01-01T00:00:00.000Z', gone],
  ])('%s at %s', async (_title, now, expected) => {
    await putItem(petItem(12n));
    vi.useFakeTimers({ now: new Date(now), toFake: ['Date'] });

    const answer = await invoke(handler, { petId: '12' });

    expect(answer).toEqual(expected);
  });

  it('answers 500 for a damaged pet, and logs what is damaged', async () => {
    await putItem({ ...petItem(12n), status: 'lost' });

    const answer = await invoke(handler, { petId: '12' });

    expect(answer).toEqual(announcing(internalError));
    expect(log.lines()).toEqual([expect.stringContaining('A stored item has invalid status.')]);
  });

  it('answers 503 while DynamoDB is away', async () => {
    const getPet = await loadAt(nowhere, () => import('../../functions/get-pet.ts'));

    const answer = await invoke(getPet.handler, { petId: '12' });

    expect(answer).toEqual(announcing(serviceUnavailable));
    expect(log.lines().at(-1)).toContain('ECONNREFUSED');
  });
});
