import { randomUUID } from 'node:crypto';
import { parse } from '../shared/contract/errors/parse.ts';
import type { createPet } from '../shared/contract/operations.ts';
import { IdempotencyKey } from '../shared/contract/schemas/idempotency-key.ts';
import { NewPet } from '../shared/contract/schemas/pet.ts';
import { apiHandler, jsonResponse } from '../shared/http/api-handler.ts';
import { type JsonBodyEvent, jsonBody } from '../shared/http/json-body.ts';
import { absoluteUrl, clientOf, headerValues } from '../shared/http/request.ts';
import { logInfo, petCreatedMessage } from '../shared/lambda/log.ts';
import { warmUp } from '../shared/lambda/warm-up.ts';
import { insertNoPet, insertPet } from '../shared/tables/pets-table.ts';

export const handler = apiHandler()
  .use(jsonBody())
  .handler(async (event: JsonBodyEvent) => {
    const idempotencyKey = parse(
      IdempotencyKey,
      headerValues(event, 'Idempotency-Key'),
      'invalid_header',
      'Idempotency-Key',
    );
    const newPet = parse(NewPet, event.body, 'invalid_body');
    const client = clientOf(event);
    const key = idempotencyKey ?? randomUUID();

    const { item: pet, isReplay } = await insertPet(newPet, { client, key, body: event.body });

    logInfo(petCreatedMessage, { client, petId: `${pet.id}`, isReplay });
    return jsonResponse<typeof createPet>(201, pet, {
      Location: absoluteUrl(event, `/pets/${pet.id}`),
      ...(idempotencyKey !== undefined && isReplay && { 'Idempotency-Replayed': 'true' }),
    });
  });

await warmUp(insertNoPet);
