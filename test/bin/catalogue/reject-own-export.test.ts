import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { rejectOwnExport } from '../../../bin/catalogue/reject-own-export.ts';
import { PetPage } from '../../../shared/client/pet-page.ts';
import type { PetStoreClient } from '../../../shared/client/pet-store-client.ts';
import { examplePet } from '../../../shared/pets/operations.ts';

/** Checks rows with these columns, `number` renamed to `categoryId`, against an API that has the sold pet 12. */
function check(...rows: readonly object[]): Promise<void> {
  const listPets: PetStoreClient['listPets'] = async ({ status } = {}) => {
    const pets = status === 'sold' ? [{ ...examplePet, id: 12n, status }] : [];
    return new PetPage({ pets, nextCursor: undefined, requestId: 'request-1', next: () => undefined });
  };
  const read = rows.map((row, index) => ({ line: index + 2, cells: Object.entries(row) }));
  return rejectOwnExport(Readable.from(read), new Map([['number', 'categoryId']]), { listPets });
}

describe('rejectOwnExport', () => {
  it.each([['12'], [12n]])('fails at a pet that exists, with the id %o', async (id) => {
    await expect(check({ name: 'new' }, { id: '11' }, { id })).rejects.toThrow(
      new Error(
        'The pet 12 in line 4 already exists in this API. An import would create the pets of the file again, with other ids. If you want that, remove every id from the file.',
      ),
    );
  });

  it.each([[{ id: '13' }], [{ id: undefined }], [{ categoryId: '12' }], [{ number: 12n }]])(
    'accepts %o',
    async (row) => {
      await expect(check(row)).resolves.toBeUndefined();
    },
  );
});
