import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeFormula, unescapeFormula } from '../../../bin/catalogue/formulas.ts';

describe('a name in CSV', () => {
  it.each(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])(
    'is no formula with %j in front',
    (sign) => {
      expect(escapeFormula(`${sign}1+1`)).toBe(`'${sign}1+1`);
    },
  );

  it('stays as it is where it is none', () => {
    expect(['Bella = dog', "'Bella'", '1+1', ''].map(escapeFormula)).toStrictEqual([
      'Bella = dog',
      "'Bella'",
      '1+1',
      '',
    ]);
  });

  it('comes back as it was, whatever it was', () => {
    const name = fc.string({
      unit: fc.oneof(fc.constantFrom("'", '=', '-', '@', '\t'), fc.string({ minLength: 1, maxLength: 1 })),
    });

    fc.assert(
      fc.property(name, (text) => {
        expect(unescapeFormula(escapeFormula(text))).toBe(text);
      }),
    );
  });
});
