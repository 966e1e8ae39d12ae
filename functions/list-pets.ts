import { parse } from '../shared/contract/errors/parse.ts';
import type { listPets } from '../shared/contract/operations.ts';
import { ListPetsQuery } from '../shared/contract/schemas/list-pets-query.ts';
import { decodeCursor, encodeCursor } from '../shared/contract/schemas/page-cursor.ts';
import { apiHandler, json } from '../shared/http/api-handler.ts';
import { absoluteUrl } from '../shared/http/request.ts';
import { warmUp } from '../shared/lambda/warm-up.ts';
import { readPetPage } from '../shared/tables/pets-table.ts';

export const handler = apiHandler().handler(async (event) => {
  const query = parse(ListPetsQuery, event.multiValueQueryStringParameters ?? {}, 'invalid_query');
  const { limit, status, cursor } = query;
  const after = cursor === undefined ? undefined : decodeCursor(cursor, status);

  const { pets, next } = await readPetPage({ limit, status, after });

  if (next === undefined) return json<typeof listPets>(200, pets, {});
  // RFC 8288: the link has every parameter of this request.
  const nextQuery = Object.entries({ ...query, cursor: encodeCursor(next, status) });
  const parameters = new URLSearchParams(
    nextQuery.map(([name, value]): [string, string] => [name, `${value}`]),
  );
  return json<typeof listPets>(200, pets, {
    Link: `<${absoluteUrl(event, `/pets?${parameters}`)}>; rel="next"`,
  });
});

await warmUp(() => readPetPage({ limit: 1, status: 'available', after: undefined }));
