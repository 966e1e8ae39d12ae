import { randomUUID } from 'node:crypto';
import { IdempotencyKey } from '../shared/idempotency-key.ts';
import { apiHandler, json } from '../shared/middleware/api-handler.ts';
import { jsonBody } from '../shared/middleware/json-body.ts';
import { createPet } from '../shared/operations.ts';
import { parse } from '../shared/parse.ts';
import { NewPet } from '../shared/pet.ts';
import { insertPet, readPet } from '../shared/pets-table.ts';
import { absoluteUrl, callerOf, headerValues } from '../shared/request.ts';
import { warmUp } from '../shared/warm-up.ts';

export const handler = apiHandler()
  .use(jsonBody())
  .handler(async (event) => {
    const idempotencyKey = parse(IdempotencyKey, headerValues(event, 'Idempotency-Key'), 'invalid_header');
    const newPet = parse(NewPet, event.body, 'invalid_body');

    const { pet, isReplay } = await insertPet(newPet, {
      client: callerOf(event),
      key: idempotencyKey ?? randomUUID(),
    });

    return json(createPet.success, pet, {
      Location: absoluteUrl(event, `${createPet.path}/${pet.id}`),
      ...(idempotencyKey !== undefined && isReplay && { 'Idempotency-Replayed': 'true' }),
    });
  });

await warmUp(() => readPet(0n));
