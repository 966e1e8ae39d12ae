import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvOf } from '../../../bin/catalogue/write-csv.ts';
import { examplePet } from '../../../shared/pets/operations.ts';

const rowOf = (name: string, escapeFormulas = true) =>
  csvOf([{ ...examplePet, id: 1n, name, categoryId: -5n }], false, escapeFormulas);

describe('csvOf', () => {
  it.each([
    ['Bella;"=1', `1,"Bella;""'=1",-5,available`],
    ['Bella - 1; x=1', '1,Bella - 1; x=1,-5,available'],
  ])('escapes only formulas in %j', (name, row) => {
    expect(rowOf(name).slice(0, row.length)).toBe(row);
  });

  it('leaves no formula after any separator', () => {
    const name = fc.string({
      unit: fc.constantFrom('a', ' ', '=', '-', '＝', '"', ',', ';', '\t', '\r', '\n'),
    });

    fc.assert(
      fc.property(name, (name) => {
        const [, cell = ''] = /^1,(.*),-5,available/s.exec(rowOf(name)) ?? [];

        expect(cell).not.toMatch(/(^|[\t\n\r",;])[=+\-@＝＋－＠]/);
      }),
    );
  });

  it('writes every name exactly without escaping', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (name) => {
        const [cells = []] = parse(rowOf(name, false));

        expect(cells.slice(0, 4)).toStrictEqual(['1', name, '-5', 'available']);
      }),
    );
  });
});
