import { describe, expect, it } from 'vitest';
import { respond } from '../../../cli/test/support/stub-api.ts';
import type { ClientEvent } from '../../package/pet-store-client.ts';
import { clientOf, created, error, newPet, pet, requestId, useNoRandomWait, withId } from '../stub-client.ts';

useNoRandomWait();

describe('onEvent', () => {
  it('gets each request, response and retry of a call, joined by its id', async () => {
    const events: ClientEvent[] = [];
    const onEvent = (event: ClientEvent) => void events.push(event);
    const { api } = await clientOf([error(503, withId), created], { onEvent });

    await api.createPet(newPet);

    const [{ callId, url } = { callId: '', url: '' }] = events;
    const call = { operation: 'createPet', callId, method: 'POST', url };
    const milliseconds = expect.any(Number);
    expect(events).toStrictEqual([
      { type: 'request', ...call, attempt: 1 },
      { type: 'response', ...call, attempt: 1, status: 503, requestId, milliseconds },
      { type: 'retry', ...call, attempt: 1, status: 503, waitMilliseconds: 0 },
      { type: 'request', ...call, attempt: 2 },
      { type: 'response', ...call, attempt: 2, status: 201, requestId, milliseconds },
    ]);
    expect(callId).toMatch(/^[0-9a-f-]{36}$/);
    expect(JSON.stringify(events)).not.toContain('secret');
  });

  it('ends the call with what it throws, later too', async () => {
    const thrown = new Error('The log is full.');
    const onEvent = async ({ type }: ClientEvent) => {
      if (type === 'response') throw thrown;
    };
    const { api, requests } = await clientOf([created], { onEvent });

    await expect(api.createPet(newPet)).rejects.toBe(thrown);
    expect(requests).toHaveLength(1);
  });

  it('says once per operation that it is deprecated', async () => {
    const events: ClientEvent[] = [];
    const onEvent = (event: ClientEvent) => void (event.type === 'deprecation' && events.push(event));
    const deprecated = { Deprecation: '@1795132800', Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' };
    const again = error(404, deprecated);
    const unreadable = respond(201, pet, { Deprecation: '?1' });
    const { api } = await clientOf([respond(200, '[]', deprecated), again, unreadable], { onEvent });

    await api.listPets();
    await api.listPets().catch(() => undefined);
    await api.createPet(newPet);

    expect(events).toMatchObject([
      {
        operation: 'listPets',
        attempt: 1,
        since: new Date('2026-11-20T00:00:00Z'),
        sunset: new Date('2030-12-05T00:00:00Z'),
      },
      // In a form that the client does not know.
      { operation: 'createPet', since: undefined, sunset: undefined },
    ]);
  });
});
