import type { APIGatewayProxyEvent } from 'aws-lambda';
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
  const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor, query.status);

  const { pets, next } = await readPetPage({ ...query, after });

  return json<typeof listPets>(200, pets, next === undefined ? {} : { Link: linkToNext(event, query, next) });
});

/** The link to the page after the pet `next` (RFC 8288). */
function linkToNext(event: APIGatewayProxyEvent, { limit, status }: ListPetsQuery, next: bigint): string {
  const query = new URLSearchParams({
    limit: `${limit}`,
    ...(status && { status }),
    cursor: encodeCursor(next, status),
  });
  return `<${absoluteUrl(event, `/pets?${query}`)}>; rel="next"`;
}

await warmUp(() => readPetPage({ limit: 1, status: 'available' }));
