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

  const { successor: _successor, ...withoutSuccessor } = deprecation;
  it.each([
    ['a link to its successor', {}, deprecation, successor],
    ['its own link beside that one', { Link: next }, deprecation, `${next}, ${successor}`],
    ['only its own link', { Link: next }, withoutSuccessor, next],
    ['no link', {}, withoutSuccessor, undefined],
  ])('announces its dates, with %s', async (_title, headers, announced, link) => {
    const response = await callAt('2004-05-05T23:59:59.999Z', headers, announced);

    expect(response).toMatchObject({ status: 200, headers: announcement });
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
