import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson, stringifyJson } from '../../../shared/contract/json.ts';

/** The parts of a JSON number, often an integer, in any notation that JSON allows. */
const literal = fc.record({
  sign: fc.constantFrom('', '-'),
  whole: fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9]\d{0,20}$/)),
  fraction: fc.oneof(fc.stringMatching(/^\d{0,20}$/), fc.stringMatching(/^\d?0{0,40}$/)),
  exponent: fc.integer({ min: -25, max: 25 }),
  exponentSign: fc.constantFrom('e', 'E', 'e+', 'E+'),
});

describe('parseJson', () => {
  it('parses an integer exactly, however it is written', () => {
    fc.assert(
      fc.property(literal, ({ sign, whole, fraction, exponent, exponentSign }) => {
        const point = fraction && `.${fraction}`;
        const text = `${sign}${whole}${point}${exponent < 0 ? 'e' : exponentSign}${exponent}`;
        const scale = 10n ** BigInt(Math.abs(exponent - fraction.length));
        const unscaled = BigInt(`${sign}${whole}${fraction}`);
        const isInteger = exponent >= fraction.length || unscaled % scale === 0n;
        const integer = exponent >= fraction.length ? unscaled * scale : unscaled / scale;

        const value = parseJson(text);

        expect(value).toBe(isInteger ? integer : Number(text));
      }),
    );
  });

  it.each([
    ['-0', 0n],
    ['0e999', 0n],
    ['0e-999', 0n],
    [`1.${'0'.repeat(70)}`, 1n],
    ['1e63', 10n ** 63n],
  ])('parses %s as an integer', (text, integer) => {
    expect(parseJson(text)).toBe(integer);
  });

  it.each(['1e64', '1e-999999999', '1e999999999', '-1e99999999999999999999'])(
    'leaves %s a number',
    (text) => {
      expect(parseJson(text)).toBe(Number(text));
    },
  );
});

describe('stringifyJson', () => {
  it('writes any int64 with all of its digits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (integer) => {
        const text = stringifyJson({ id: integer });

        expect(text).toBe(`{"id":${integer}}`);
        expect(parseJson(text)).toEqual({ id: integer });
      }),
    );
  });

  it('preserves the meaning of any parsed JSON', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const written = stringifyJson(parseJson(text));

        expect(JSON.stringify(JSON.parse(written))).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });
});
