import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AccessLogValues, accessLogLine } from '../../../../infra/local/api-gateway/access-log.ts';

const names = [
  'requestId',
  'requestTime',
  'httpMethod',
  'resourcePath',
  'status',
  'responseLatency',
  'authorizer.error',
  'authorizer.client',
] as const;

describe('a line of the access log', () => {
  it('has the values in the format of the stage', () => {
    const toLine = accessLogLine('{"method":"$context.httpMethod","client":"$context.authorizer.client"}');

    expect(toLine({ httpMethod: 'GET', 'authorizer.client': 'acme' })).toBe(
      '{"method":"GET","client":"acme"}',
    );
  });

  it('has - for what the request has not', () => {
    const toLine = accessLogLine('$context.status $context.resourcePath $context.authorizer.keyId');

    expect(toLine({ status: '404' })).toBe('404 - -');
  });

  it('has a variable as often as the format names it', () => {
    const toLine = accessLogLine('$context.requestId/$context.requestId');

    expect(toLine({ requestId: '$context.status' })).toBe('$context.status/$context.status');
  });

  it('is JSON with exactly the values, whatever they are', () => {
    const toLine = accessLogLine(
      JSON.stringify(Object.fromEntries(names.map((name) => [name, `$context.${name}`]))),
    );
    const values = fc.record(
      Object.fromEntries(names.map((name) => [name, fc.string({ unit: 'binary' })])),
    ) satisfies fc.Arbitrary<AccessLogValues>;

    fc.assert(
      fc.property(values, (given) => {
        const line = toLine(given);

        expect(line).not.toContain('\n');
        expect(JSON.parse(line)).toEqual(given);
      }),
      { numRuns: 50 },
    );
  });
});

describe('the format of the access log', () => {
  it.each(['identity.userAgent', 'path', 'error.message', 'authorizer'])(
    'is refused for the variable %s, which the local API does not know',
    (name) => {
      expect(() => accessLogLine(`$context.status $context.${name}`)).toThrow(
        `The local API does not know the access log variable $context.${name}.`,
      );
    },
  );
});
