import { type PageRequest, readPage } from '../paging/read-page.ts';
import type { Creation } from '../tables/creation.ts';
import { insertNothing, insertOnce } from '../tables/insert-once.ts';
import { readItem } from '../tables/read-item.ts';
import { openTable } from '../tables/table.ts';
import type { NewPet, PetStatus } from './pet.ts';
import { petTable } from './pet-table.ts';

const pets = openTable(petTable);

/** Writes a new pet exactly once, as `insertOnce` says. */
export const insertPet = (newPet: NewPet, creation: Creation) =>
  insertOnce(pets, creation, (id) => ({ id, ...newPet }));

/** Makes the same call as `insertPet`, and never writes. */
export const insertNoPet = () => insertNothing(pets);

/** Reads a pet, as `readItem` says. */
export const readPet = (id: bigint) => readItem(pets, { id });

/** Reads a page of all pets, or of those with a status, as `readPage` says. */
export const readPetPage = ({ status, ...page }: PageRequest & { readonly status: PetStatus | undefined }) =>
  readPage(pets, { ...page, where: { field: 'status', equals: status } });
