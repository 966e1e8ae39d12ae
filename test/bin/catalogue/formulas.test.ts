import { expect, it } from 'vitest';
import { escapeFormula, unescapeFormula } from '../../../bin/catalogue/formulas.ts';

it('a name in CSV gets a quote in front of what a spreadsheet takes for a formula, and of nothing else', () => {
  for (const sign of '=+-@\t\r\n＝＋－＠') expect(escapeFormula(`${sign}1+1`)).toBe(`'${sign}1+1`);
  for (const text of ['Bella = dog', "'Bella'", '1+1', '']) expect(escapeFormula(text)).toBe(text);
  expect(unescapeFormula('=1+1')).toBe('=1+1');
});
