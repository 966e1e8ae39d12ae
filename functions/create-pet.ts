import { jsonBody } from '../shared/http/json-body.ts';
import { clientOf } from '../shared/http/request.ts';
import { serve } from '../shared/http/serve.ts';
import { warmUp } from '../shared/lambda/init.ts';
import { createdMessage, logInfo } from '../shared/lambda/log.ts';
import { createPet } from '../shared/pets/operations.ts';
import { petTable } from '../shared/pets/pet-table.ts';
import { insertOnce, sendRefusedPut } from '../shared/tables/insert-once.ts';
import { openTable } from '../shared/tables/table.ts';

const pets = openTable(petTable);
const { handle, parse, respond } = serve(createPet, jsonBody);

export const handler = handle(async (event) => {
  const { header, body: newPet, url } = parse(event);
  const client = clientOf(event);
  const request = { client, idempotencyKey: header['Idempotency-Key'], body: event.body };

  const { item: pet, isReplay } = await insertOnce(pets, request, (id) => ({ id, ...newPet }));

  logInfo(createdMessage, { client, table: petTable.id, key: `${pet.id}`, isReplay });
  const headers = { Location: `${url}/${pet.id}` };
  return respond(pet, isReplay ? { ...headers, 'Idempotency-Replayed': 'true' } : headers);
});

await warmUp(() => sendRefusedPut(pets));
