import { serve } from '../shared/http/serve.ts';
import { warmUp } from '../shared/lambda/init.ts';
import { nextPageLink } from '../shared/paging/page-query.ts';
import { readPage } from '../shared/paging/read-page.ts';
import { listPets } from '../shared/pets/operations.ts';
import { petTable } from '../shared/pets/pet-table.ts';
import { openTable } from '../shared/tables/table.ts';

const pets = openTable(petTable);
const { handle, parse, respond } = serve(listPets);

export const handler = handle(async (event) => {
  const { query, url } = parse(event);

  const where = { field: 'status', equals: query.status } as const;
  const { items, next } = await readPage(pets, { limit: query.limit, cursor: query.cursor, where });

  return respond(items, nextPageLink(url, query, next));
});

await warmUp(() =>
  readPage(pets, { limit: 1, cursor: undefined, where: { field: 'status', equals: 'available' } }),
);
