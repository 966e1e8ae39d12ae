import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseJson, stringifyJson } from '../../../shared/contract/json.ts';

/** The parts of a JSON number, often an integer, in any notation that JSON allows. */
const literal = fc.record({
  sign: fc.constantFrom('', '-'),
  whole: fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9]\d{0,20}$/)),
  fraction: fc.oneof(fc.stringMatching(/^\d{0,20}$/), fc.stringMatching(/^\d?0{0,40}$/)),
  exponent: fc.integer({ min: -25, max: 25 }),
  exponentSign: fc.constantFrom('e', 'E', 'e+', 'E+'),
});

it('parseJson parses an integer exactly, however it is written', () => {
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
  ['1e127', 10n ** 127n],
  ['1e128', 1e128],
  ['1'.repeat(128), (10n ** 128n - 1n) / 9n],
  ['1'.repeat(129), Number('1'.repeat(129))],
  ['1e-999999999', 0],
  ['1e999999999', Number.POSITIVE_INFINITY],
])('parseJson parses %s as %s', (text, value) => {
  expect(parseJson(text)).toBe(value);
});

it('stringifyJson preserves the meaning of any parsed JSON', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const written = stringifyJson(parseJson(text));

      expect(JSON.stringify(JSON.parse(written))).toBe(JSON.stringify(JSON.parse(text)));
    }),
  );
});
