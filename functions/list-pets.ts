import { serve } from '../shared/http/serve.ts';
import { warmUp } from '../shared/lambda/warm-up.ts';
import { nextPageLink } from '../shared/paging/next-page-link.ts';
import { listPets } from '../shared/pets/operations.ts';
import { readPetPage } from '../shared/pets/stored-pets.ts';

const { handle, parse, respond } = serve(listPets);

export const handler = handle(async (event) => {
  const { query, url } = parse(event);

  const { items, next } = await readPetPage(query);

  return respond(items, nextPageLink(url, query, next));
});

await warmUp(() => readPetPage({ limit: 1, cursor: undefined, status: 'available' }));
