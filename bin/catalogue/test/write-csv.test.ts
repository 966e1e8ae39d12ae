import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { examplePet } from '../../../shared/pets/operations.ts';
import { codePoint } from '../../../test/support/fuzz/code-point.ts';
import { readRows } from '../read-rows.ts';
import { csvOf } from '../write-csv.ts';

const rowOf = (name: string, escapeFormulas = true) =>
  csvOf([{ ...examplePet, id: 1n, name, categoryId: -5n }], false, escapeFormulas);

const outer = fc.constantFrom(' ', '\t', '\f', '\n', '\r', '\u00A0', '\uFEFF', '"', ',');

/** Returns the rows that an import reads from an export with a pet per page. */
const importedFrom = (pets: readonly object[]) => {
  const pages = pets.map((pet, index) => csvOf([pet], index === 0, false));
  return readRows(Buffer.from(pages.join('')), 'csv', new Map());
};

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
      fc.property(fc.string({ unit: fc.oneof(codePoint, outer), minLength: 1 }), (name) => {
        const [row] = importedFrom([{ ...examplePet, name }]);

        expect(row?.cells[1]).toStrictEqual(['name', name]);
      }),
    );
  });

  it('begins a file with a byte order mark, which an import skips', () => {
    const rows = importedFrom([examplePet, examplePet]);

    expect(csvOf([], true, true)).toMatch(/^\uFEFFid,name,/);
    expect(rowOf('Bella')).toMatch(/^1,Bella,/);
    expect(rows.map(({ line, cells }) => [line, cells[0]?.[0]])).toStrictEqual([
      [2, 'id'],
      [3, 'id'],
    ]);
  });
});
