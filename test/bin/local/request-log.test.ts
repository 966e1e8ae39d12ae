import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requestLogLine } from '../../../bin/local/request-log.ts';
import { generateApiKey } from '../../../shared/contract/api-key.ts';

const lineOf = (path: string) =>
  requestLogLine({ requestId: 'id', method: 'GET', path, status: 404, milliseconds: 3, accessLogLine: '' });

const key = generateApiKey('staging');

/** Percent-encodes each of some characters, so many times. */
function encode(text: string, isEncoded: (index: number) => boolean, times: number): string {
  const encoded = [...text].map((character, index) =>
    isEncoded(index) ? `%${character.charCodeAt(0).toString(16)}` : character,
  );
  return times === 0 ? text : encode(encoded.join(''), isEncoded, times - 1);
}

/** What is left when a text has been decoded as often as it can be. */
function decode(text: string): string {
  const decoded = text.replaceAll(/%([0-9a-f]{2})/gi, (_match, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return decoded === text ? text : decode(decoded);
}

describe('a line of the request log', () => {
  it.each(['/v1/pets', '/v1/pets/%', '/v1/pets/%E2%82%AC', '/v1/pets/100%25'])(
    'has the path %s as it is',
    (path) => {
      expect(lineOf(path)).toBe(`GET ${path} 404 3 ms id`);
    },
  );

  it.each([
    key,
    key.replaceAll('_', '%5F'),
    key.replaceAll('_', '%255F'),
    key.replaceAll('_', '%25255f'),
    key.replace('petstore', '%25%37%30etstore'),
  ])('hides the key in /v1/pets/%s', (encoded) => {
    expect(lineOf(`/v1/pets/${encoded}`)).toBe('GET /v1/pets/petstore_staging_… 404 3 ms id');
  });

  it('hides a key wherever and however often it is percent-encoded', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 30 }),
        fc.nat(20),
        (steps, times) => {
          const line = lineOf(
            `/v1/${encode(key, (index) => index % (steps[index % steps.length] ?? 1) === 0, Math.min(times, 6))}`,
          );

          expect(decode(line)).not.toContain(key.slice(-38));
        },
      ),
      { numRuns: 50 },
    );
  });

  it('does not print a path that is percent-encoded too often to be read', () => {
    expect(lineOf(`/v1/%25${'25'.repeat(40)}5F`)).toBe('GET … 404 3 ms id');
  });

  it('has no control character of a path', () => {
    expect(lineOf('/v1/\u001b[2J\u009b1A')).toBe('GET /v1/\\u001b[2J\\u009b1A 404 3 ms id');
    expect(lineOf(`/v1/%1b%0a${key}`)).toBe('GET /v1/%1B%0Apetstore_staging_… 404 3 ms id');
  });
});
