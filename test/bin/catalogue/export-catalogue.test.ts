import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { exportCatalogue } from '../../../bin/catalogue/export-catalogue.ts';
import { formats, readRawRows } from '../../../bin/catalogue/read-rows.ts';
import { toRow } from '../../../bin/catalogue/rows.ts';
import { PetStatus } from '../../../shared/contract/schemas/pet.ts';
import { codePoint } from '../../support/properties/code-point.ts';

/** Any character, and often one that could be taken for more than that. */
const character = fc.oneof(fc.constantFrom('\r\n', ...'"=-\',\n\r \t;#\\\0\u2028\uFEFF'), codePoint);
const name = fc
  .tuple(fc.constantFrom('', '=', "'", "'=", "''@"), fc.string({ unit: character, maxLength: 20 }))
  .map((parts) => parts.join(''))
  .filter((name) => name.trim() !== '');
const pet = fc.record({
  id: fc.bigInt({ min: 1n, max: 2n ** 53n - 1n }),
  name,
  categoryId: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  status: fc.constantFrom(...PetStatus.options),
});

it('an export reads back as the same pets, in every format', async () => {
  const options = fc.record({ format: fc.constantFrom(...formats), escapesFormulas: fc.boolean() });
  const pages = fc.array(fc.array(pet, { maxLength: 3 }), { maxLength: 3 });

  await fc.assert(
    fc.asyncProperty(options, pages, fc.integer({ min: 1, max: 64 }), async (options, pages, chunkSize) => {
      async function* listPets() {
        yield* pages;
      }
      const bytes = Buffer.from(await text(Readable.from(exportCatalogue({ listPets }, options))));
      const chunks = Array.from({ length: Math.ceil(bytes.length / chunkSize) }, (_, index) =>
        bytes.subarray(index * chunkSize, (index + 1) * chunkSize),
      );

      const read = await Array.fromAsync(readRawRows(Readable.from(chunks), options.format), (raw) => ({
        id: BigInt(Object(raw.fields()).id),
        ...toRow(raw, { map: new Map(), unescapesFormulas: options.escapesFormulas }),
      }));

      const pets = pages.flat().map(({ id, ...newPet }) => ({ id, line: expect.any(Number), pet: newPet }));
      expect(read).toStrictEqual(pets);
    }),
    { numRuns: 200 },
  );
});
