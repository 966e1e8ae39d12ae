import { describe, expect, it } from 'vitest';
import { parse } from '../../../../shared/contract/errors/parse.ts';
import { int64, int64Range } from '../../../../shared/contract/schemas/int64.ts';

const Integer = int64('It must be an int64.');

describe('int64', () => {
  it.each([-9223372036854775808n, 0n, 9223372036854775807n])('accepts %s', (integer) => {
    expect(parse(Integer, integer, 'invalid_body')).toBe(integer);
  });

  it.each([-9223372036854775809n, 9223372036854775808n, 1, 0.5, '1', true, null, undefined])(
    'refuses %s',
    (value) => {
      expect(() => parse(Integer, value, 'invalid_body')).toThrow('It must be an int64.');
    },
  );

  it('has its range in words', () => {
    expect(int64Range).toBe('-9223372036854775808 to 9223372036854775807');
  });
});
