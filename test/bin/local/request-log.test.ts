import fc from 'fast-check';
import { expect, it } from 'vitest';
import { requestLogLine } from '../../../bin/local/request-log.ts';
import { generateApiKey } from '../../../shared/contract/api-key.ts';

const lineOf = (path: string) =>
  requestLogLine({ requestId: 'id', method: 'GET', path, status: 404, milliseconds: 3, accessLogLine: '' });

const key = generateApiKey('staging');

/** Percent-encodes a character, so many times. */
const encode = (character: string, times: number) =>
  times === 0 ? character : `%${'25'.repeat(times - 1)}${character.charCodeAt(0).toString(16)}`;

it.each([
  ['/v1/pets/%/100%25/%E2%82%AC', '/v1/pets/%/100%25/%E2%82%AC'],
  ['/v1/\u001b[2J\u009b1A', '/v1/\\u001b[2J\\u009b1A'],
  [`/v1/%1b%0a${key}`, '/v1/%1B%0Apetstore_staging_…'],
  [`/v1/%25${'25'.repeat(40)}5F`, '…'],
])('a line of the request log for the path %s has %s', (path, shown) => {
  expect(lineOf(path)).toBe(`GET ${shown} 404 3 ms id`);
});

it('a line of the request log hides a key wherever and however often it is percent-encoded', () => {
  const times = fc.array(fc.nat(10), { minLength: key.length, maxLength: key.length });

  fc.assert(
    fc.property(times, (times) => {
      const encoded = times.map((count, index) => encode(key.charAt(index), count)).join('');

      expect(lineOf(`/v1/${encoded}`)).toBe('GET /v1/petstore_staging_… 404 3 ms id');
    }),
  );
});
