import { getEventListeners } from 'node:events';
import { expect, it, vi } from 'vitest';
import { respond } from '../../../cli/test/support/stub-api.ts';
import { type ClientEvent, PetStoreError } from '../../package/pet-store-client.ts';
import { clientOf, error, last, useNoRandomWait } from '../stub-client.ts';

useNoRandomWait();

const aborted = { name: 'PetStoreError', code: 'aborted', status: 0, message: 'The call was aborted.' };
const busy = error(503, { 'Retry-After': '30' });

it.each([
  ['before it is sent', 'request'],
  ['before it waits for a retry', 'retry'],
])('a call that is aborted %s fails with the reason as cause', async (_title, at) => {
  const abort = new AbortController();
  const reason = new Error('The page was closed.');
  const events: string[] = [];
  const onEvent = ({ type }: ClientEvent) => {
    events.push(type);
    if (type === at) abort.abort(reason);
  };
  const { api, requests } = await clientOf([busy], { onEvent });

  const failure = await api.listPets({ signal: abort.signal }).catch((thrown: unknown) => thrown);

  expect(failure).toBeInstanceOf(PetStoreError);
  expect(failure).toMatchObject({ ...aborted, cause: reason });
  expect(requests).toHaveLength(at === 'request' ? 0 : 1);
  expect(events.at(-1)).toBe(at);
});

it('a call that is aborted while it waits for a retry fails at once', async () => {
  const abort = new AbortController();
  // Once it waits.
  const onEvent = ({ type }: ClientEvent) => type === 'retry' && setTimeout(() => abort.abort(), 10);
  const inAnHour = error(503, { 'Retry-After': '3600' });
  const { api } = await clientOf([inAnHour], { onEvent, timeout: 7_200_000 });

  await expect(api.listPets({ signal: abort.signal })).rejects.toMatchObject(aborted);
});

it('a call that is aborted while it waits for a response fails at once', async () => {
  const abort = new AbortController();
  const reason = new Error('The page was closed.');
  const { api, requests } = await clientOf([() => abort.abort(reason)]);

  const failed = api.listPets({ signal: abort.signal });

  await expect(failed).rejects.toMatchObject({ ...aborted, cause: reason });
  expect(requests).toHaveLength(1);
});

it.each(['client', 'call'])('the signal of the %s aborts a call', async (of) => {
  const silent = new AbortController().signal;
  const signal = AbortSignal.abort('The page was closed.');
  const { api, requests } = await clientOf([last], { signal: of === 'client' ? signal : silent });

  const failed = api.listPets({ signal: of === 'call' ? signal : silent });

  await expect(failed).rejects.toMatchObject({ ...aborted, cause: 'The page was closed.' });
  expect(requests).toStrictEqual([]);
});

it('a call leaves no timer', async () => {
  const started = vi.spyOn(globalThis, 'setTimeout');
  const cleared = vi.spyOn(globalThis, 'clearTimeout');
  const abort = new AbortController();
  const onEvent = ({ type }: ClientEvent) => type === 'retry' && setImmediate(() => abort.abort());
  const { api } = await clientOf([last, busy], { onEvent });

  await api.listPets();
  await expect(api.listPets({ signal: abort.signal })).rejects.toThrow();

  // Node's fetch has timers of its own, for other times.
  const timers = started.mock.results.filter((_, call) => started.mock.calls[call]?.[1] === 30_000);
  expect(timers).toHaveLength(3);
  const values = timers.map(({ value }) => value);
  expect(cleared.mock.calls.flat()).toEqual(expect.arrayContaining(values));
});

it('a repeated call leaves no listener, which would keep its signal alive', async () => {
  const { signal } = new AbortController();
  const combine = vi.spyOn(AbortSignal, 'any');
  const { api, requests } = await clientOf([respond(503, ''), respond(503, ''), last], { signal });

  await api.listPets();

  const ofCalls = combine.mock.results.filter((_, call) => combine.mock.calls[call]?.[0].includes(signal));
  expect(ofCalls.flatMap(({ value }) => getEventListeners(value, 'abort'))).toStrictEqual([]);
  expect(ofCalls).not.toStrictEqual([]);
  expect(requests).toHaveLength(3);
});
