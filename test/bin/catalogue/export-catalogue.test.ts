import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type ExportOptions, exportCatalogue } from '../../../bin/catalogue/export-catalogue.ts';
import { formats, readRawRows } from '../../../bin/catalogue/read-rows.ts';
import { toRow } from '../../../bin/catalogue/rows.ts';
import { type Pet, PetStatus } from '../../../shared/contract/schemas/pet.ts';
import { codePoint } from '../../support/properties/code-point.ts';

/** The export of an API whose list has these pages. */
function exported(pages: readonly Pet[][], options: ExportOptions): Promise<string> {
  async function* listPets({ status }: Pick<ExportOptions, 'status'> = {}) {
    for (const pets of pages) yield pets.filter((pet) => status === undefined || pet.status === status);
  }
  return text(Readable.from(exportCatalogue({ listPets }, options)));
}

const bella: Pet = { id: 1n, name: 'Bella', categoryId: 9223372036854775807n, status: 'available' };
const milo: Pet = { id: 9007199254740991n, name: 'Milo, "the" cat\n', categoryId: -1n, status: 'sold' };

/** Any character, and often one that could be taken for more than that. */
const character = fc.oneof(fc.constantFrom('\r\n', ...'"=-\',\n\r \t;#\\\0\u2028\uFEFF'), codePoint);
const pet = fc.record({
  id: fc.bigInt({ min: 1n, max: 2n ** 53n - 1n }),
  name: fc.string({ unit: character, maxLength: 20 }).filter((name) => name.trim() !== ''),
  categoryId: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  status: fc.constantFrom(...PetStatus.options),
});

it('an export is a JSON object a line, or CSV with a header, of all pets or of those of a status', async () => {
  const pages = [[bella], [milo]];
  const ndjson = { format: 'ndjson', escapesFormulas: false } as const;
  const csv = { format: 'csv', escapesFormulas: false } as const;
  const sold = '{"id":9007199254740991,"name":"Milo, \\"the\\" cat\\n","categoryId":-1,"status":"sold"}\n';

  expect(await exported(pages, { ...ndjson, status: 'sold' })).toBe(sold);
  expect(await exported(pages, ndjson)).toBe(
    `{"id":1,"name":"Bella","categoryId":9223372036854775807,"status":"available"}\n${sold}`,
  );
  expect(await exported([[]], csv)).toBe('id,name,categoryId,status\n');
  expect(await exported(pages, csv)).toBe(
    'id,name,categoryId,status\n1,Bella,9223372036854775807,available\n9007199254740991,"Milo, ""the"" cat\n",-1,sold\n',
  );
});

it('an export reads back as the same pets but for ids, in every format', async () => {
  const options = fc.record({ format: fc.constantFrom(...formats), escapesFormulas: fc.boolean() });
  const pages = fc.array(fc.array(pet, { maxLength: 3 }), { maxLength: 3 });

  await fc.assert(
    fc.asyncProperty(options, pages, fc.integer({ min: 1, max: 64 }), async (options, pages, chunkSize) => {
      const bytes = Buffer.from(await exported(pages, options));
      const chunks = Array.from({ length: Math.ceil(bytes.length / chunkSize) }, (_, index) =>
        bytes.subarray(index * chunkSize, (index + 1) * chunkSize),
      );

      const read = await Array.fromAsync(readRawRows(Readable.from(chunks), options.format), (raw) =>
        toRow(raw, { map: new Map(), unescapesFormulas: options.escapesFormulas }),
      );

      const pets = pages.flat().map(({ id: _id, ...newPet }) => ({ line: expect.any(Number), pet: newPet }));
      expect(read).toStrictEqual(pets);
    }),
    { numRuns: 200 },
  );
});
