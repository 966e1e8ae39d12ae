import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exportCatalogue } from '../../../bin/catalogue/export-catalogue.ts';
import { type Format, formats, readRawRows } from '../../../bin/catalogue/read-rows.ts';
import { toRow } from '../../../bin/catalogue/rows.ts';
import { type Pet, PetStatus } from '../../../shared/contract/schemas/pet.ts';

/** The export of an API whose list has these pages. */
function exported(pages: readonly Pet[][], format: Format, escapesFormulas = false): Promise<string> {
  async function* listPets() {
    yield* pages;
  }
  return text(Readable.from(exportCatalogue({ listPets }, { format, escapesFormulas })));
}

const bella: Pet = { id: 1n, name: 'Bella', categoryId: 9223372036854775807n, status: 'available' };
const milo: Pet = { id: 9007199254740991n, name: 'Milo, "the" cat\n', categoryId: -1n, status: 'sold' };

/** Any character, and often one that could be taken for more than that. */
const character = fc.oneof(
  fc.constantFrom(
    '"',
    '=',
    '-',
    "'",
    ',',
    '\n',
    '\r',
    '\r\n',
    ' ',
    '\t',
    ';',
    '#',
    '\\',
    '\0',
    '\u2028',
    '\uFEFF',
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
);
const pet = fc.record({
  id: fc.bigInt({ min: 1n, max: 2n ** 53n - 1n }),
  name: fc.string({ unit: character, maxLength: 20 }).filter((name) => name.trim() !== ''),
  categoryId: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  status: fc.constantFrom(...PetStatus.options),
});

describe('the export of a catalogue', () => {
  it('is a JSON object a line in NDJSON', async () => {
    expect(await exported([[bella], [milo]], 'ndjson')).toBe(
      '{"id":1,"name":"Bella","categoryId":9223372036854775807,"status":"available"}\n' +
        '{"id":9007199254740991,"name":"Milo, \\"the\\" cat\\n","categoryId":-1,"status":"sold"}\n',
    );
  });

  it('has a header in CSV, however many pages and pets there are', async () => {
    const header = 'id,name,categoryId,status\n';

    expect(await exported([[]], 'csv')).toBe(header);
    expect(await exported([[bella], [milo]], 'csv')).toBe(
      `${header}1,Bella,9223372036854775807,available\n9007199254740991,"Milo, ""the"" cat\n",-1,sold\n`,
    );
  });

  it.each(formats.flatMap((format) => [false, true].map((escapes) => ({ format, escapes }))))(
    'reads back as the same pets but for ids: %o',
    async ({ format, escapes }) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(pet, { maxLength: 3 }), { maxLength: 3 }),
          fc.integer({ min: 1, max: 64 }),
          async (pages, chunkSize) => {
            const bytes = Buffer.from(await exported(pages, format, escapes));
            const chunks = Array.from({ length: Math.ceil(bytes.length / chunkSize) }, (_, index) =>
              bytes.subarray(index * chunkSize, (index + 1) * chunkSize),
            );
            const read = [];
            for await (const raw of readRawRows(Readable.from(chunks), format)) {
              const { line: _line, ...row } = toRow(raw, {
                map: new Map(),
                unescapesFormulas: escapes && raw.isText,
              });
              read.push(row);
            }

            expect(read).toStrictEqual(pages.flat().map(({ id: _id, ...newPet }) => ({ pet: newPet })));
          },
        ),
      );
    },
  );
});
