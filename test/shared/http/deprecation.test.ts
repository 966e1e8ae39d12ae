import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Deprecation } from '../../../shared/contract/operation.ts';
import { serve } from '../../../shared/http/serve.ts';
import { listParts } from '../../support/contract/neutral-operations.ts';
import { invoke } from '../../support/functions/invoke.ts';

const deprecation: Deprecation = {
  since: '2001-02-03T00:00:00Z',
  sunset: '2004-05-06T00:00:00Z',
  successor: '/animals',
};
const announcement = { Deprecation: '@981158400', Sunset: 'Thu, 06 May 2004 00:00:00 GMT' };
const successor = '<https://pets.example/v1/animals>; rel="successor-version"';
const next = '<https://pets.example/v1/pets?cursor=x>; rel="next"';

/** Calls a deprecated operation at an instant. */
function callAt(now: string, headers: { readonly Link?: string } = {}, announced = deprecation) {
  vi.useFakeTimers({ now: new Date(now), toFake: ['Date'] });
  const { handle, respond } = serve({ ...listParts, deprecation: announced });
  return invoke(handle(() => Promise.resolve(respond([], headers))));
}

describe('a deprecated operation', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each([
    ['its dates and successor', {}, successor],
    ['its successor beside its own links', { Link: next }, `${next}, ${successor}`],
  ])('announces %s', async (_title, headers, Link) => {
    const response = await callAt('2004-05-05T23:59:59.999Z', headers);

    expect(response).toMatchObject({ status: 200, headers: { ...announcement, Link } });
  });

  it.each([
    ['its own link', { Link: next }, next],
    ['no link', {}, undefined],
  ])('has %s without a successor', async (_title, headers, link) => {
    const { since, sunset } = deprecation;

    const response = await callAt('2004-05-05T23:59:59.999Z', headers, { since, sunset });

    expect(response.headers).toMatchObject(announcement);
    expect(response.headers['Link']).toBe(link);
  });

  it('is gone from its sunset on, still with the announcement', async () => {
    const response = await callAt('2004-05-06T00:00:00Z', { Link: next });

    expect(response).toMatchObject({
      status: 410,
      headers: { ...announcement, Link: successor },
      body: { code: 'gone' },
    });
  });
});
