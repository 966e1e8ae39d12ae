import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Deprecation } from '../../../shared/contract/deprecation.ts';
import { apiHandler } from '../../../shared/http/api-handler.ts';
import { deprecated } from '../../../shared/http/deprecated.ts';
import { captureLog } from '../../support/functions/capture-log.ts';
import { invoke } from '../../support/functions/invoke.ts';

captureLog();

const deprecation: Deprecation = {
  since: '2001-02-03T00:00:00Z',
  sunset: '2004-05-06T00:00:00Z',
  successor: '/animals',
};
const announcement = { Deprecation: '@981158400', Sunset: 'Thu, 06 May 2004 00:00:00 GMT' };
const successor = '<https://pets.example/v1/animals>; rel="successor-version"';
const next = '<https://pets.example/v1/pets?cursor=x>; rel="next"';

/** Calls a deprecated operation at an instant. */
function callAt(now: string, headers: Readonly<Record<string, string>> = {}, announced = deprecation) {
  vi.useFakeTimers({ now: new Date(now), toFake: ['Date'] });
  const respond = () => ({ statusCode: 200, headers, body: '[]' });
  const handler = apiHandler(deprecated(announced)).handler(respond);
  return invoke(handler, { pathParameters: { petId: '12' } });
}

describe('a deprecated operation', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('announces its own dates and successor', async () => {
    const response = await callAt('2004-05-05T23:59:59.999Z');

    expect(response).toMatchObject({ status: 200, headers: { ...announcement, Link: successor } });
  });

  it('keeps its own links beside the one to its successor', async () => {
    const response = await callAt('2004-05-05T23:59:59.999Z', { Link: next });

    expect(response.headers).toMatchObject({ ...announcement, Link: `${next}, ${successor}` });
  });

  it('links to its successor with the path parameter of the request', async () => {
    const announced: Deprecation = { ...deprecation, successor: '/animals/{petId}' };

    const response = await callAt('2004-05-05T23:59:59.999Z', {}, announced);

    const link = '<https://pets.example/v1/animals/12>; rel="successor-version"';
    expect(response.headers).toMatchObject({ ...announcement, Link: link });
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
