import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type AccessLogValues, accessLogLine } from '../../../../infra/local/api-gateway/access-log-line.ts';

it('accessLogLine replaces the variables of a format', () => {
  const toLine = accessLogLine(
    '$context.status $context.authorizer.keyId: $context.requestId/$context.requestId',
  );

  expect(toLine({ status: '404', requestId: '$context.status' })).toBe(
    '404 -: $context.status/$context.status',
  );
});

it('accessLogLine is JSON with exactly the values, whatever they are', () => {
  const names = ['requestId', 'authorizer.error'] as const;
  const toLine = accessLogLine(
    JSON.stringify(Object.fromEntries(names.map((name) => [name, `$context.${name}`]))),
  );
  const unit = fc.nat(0xffff).map((code) => String.fromCharCode(code));
  const values = fc.record(
    Object.fromEntries(names.map((name) => [name, fc.string({ unit })])),
  ) satisfies fc.Arbitrary<AccessLogValues>;

  fc.assert(
    fc.property(values, (given) => {
      const line = toLine(given);

      expect(line).not.toContain('\n');
      expect(JSON.parse(line)).toEqual(given);
    }),
  );
});

it.each(['path', 'authorizer'])('accessLogLine names the unsupported variable %s', (name) => {
  expect(() => accessLogLine(`$context.status $context.${name}`)).toThrow(
    `The local API does not support the access log variable $context.${name}.`,
  );
});
