import { parse } from '../shared/contract/errors/parse.ts';
import type { listPets } from '../shared/contract/operations.ts';
import { ListPetsQuery } from '../shared/contract/schemas/list-pets-query.ts';
import { decodeCursor } from '../shared/contract/schemas/page-cursor.ts';
import { apiHandler, jsonResponse } from '../shared/http/api-handler.ts';
import { nextPageLink } from '../shared/http/next-page.ts';
import { warmUp } from '../shared/lambda/warm-up.ts';
import { readPetPage } from '../shared/tables/pets-table.ts';

export const handler = apiHandler().handler(async (event) => {
  const query = parse(ListPetsQuery, event.multiValueQueryStringParameters ?? {}, 'invalid_query');
  const { limit, cursor, ...filter } = query;
  const after = cursor === undefined ? undefined : decodeCursor(cursor, filter);

  const { items, next } = await readPetPage({ limit, after, ...filter });

  return jsonResponse<typeof listPets>(200, items, nextPageLink(event, '/pets', { limit, filter, next }));
});

await warmUp(() => readPetPage({ limit: 1, after: undefined, status: 'available' }));
