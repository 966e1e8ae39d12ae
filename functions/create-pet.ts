import { randomUUID } from 'node:crypto';
import { jsonBody } from '../shared/http/json-body.ts';
import { clientOf } from '../shared/http/request.ts';
import { serve } from '../shared/http/serve.ts';
import { createdMessage, logInfo } from '../shared/lambda/log.ts';
import { warmUp } from '../shared/lambda/warm-up.ts';
import { createPet } from '../shared/pets/operations.ts';
import { petTable } from '../shared/pets/pet-table.ts';
import { insertNoPet, insertPet } from '../shared/pets/stored-pets.ts';

const { handle, parse, respond } = serve(createPet, jsonBody);

export const handler = handle(async (event) => {
  const { header, body: newPet, url } = parse(event);
  const idempotencyKey = header['Idempotency-Key'];
  const client = clientOf(event);
  const key = idempotencyKey ?? randomUUID();

  const { item: pet, isReplay } = await insertPet(newPet, { client, key, body: event.body });

  logInfo(createdMessage, { client, table: petTable.id, key: `${pet.id}`, isReplay });
  return respond(pet, {
    Location: `${url}/${pet.id}`,
    ...(idempotencyKey !== undefined && isReplay && { 'Idempotency-Replayed': 'true' }),
  });
});

await warmUp(insertNoPet);
