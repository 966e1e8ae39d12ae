import * as v from 'valibot';
import { expect, it } from 'vitest';
import { operationRequests } from '../../../infra/release/harmless-requests.ts';
import { jsonText } from '../../../shared/contract/json.ts';
import { jsonBody } from '../../../shared/http/json-body.ts';
import { serve } from '../../../shared/http/serve.ts';
import { createPart, examplePart, listParts } from '../../support/contract/neutral-operations.ts';
import { captureLog } from '../../support/functions/capture-log.ts';

captureLog();

it('tries a list with what it requires, by itself and with each other example', () => {
  const titles = operationRequests(listParts).map(({ title }) => title);

  const path = 'GET /machines/{machineId}/parts?weight=7';
  expect(titles).toEqual([path, `${path}&limit=20`, `${path}&colour=red`]);
});

const list = serve(listParts);
const create = serve(createPart, jsonBody);
const handlers = {
  GET: list.handle(async (event) => {
    list.parse(event);
    return list.respond([], {});
  }),
  POST: create.handle(async (event) => {
    create.parse(event);
    return create.respond(examplePart, { Location: '/' });
  }),
};

it.each([
  ...operationRequests(listParts).map((request) => ({ ...request, handler: handlers.GET })),
  ...operationRequests(createPart).map((request) => ({ ...request, handler: handlers.POST })),
])('expects what $title gets from an operation that requires parameters', async (request) => {
  const context = { getRemainingTimeInMillis: () => 5000 };

  const answer = await Reflect.apply(request.handler, undefined, [request.event, context]);

  expect(v.is(jsonText(request.response), JSON.stringify(answer)), answer.body).toBe(true);
});

it('sends no request to a write that it cannot make invalid', () => {
  const { body, ...withoutBody } = createPart;

  expect(operationRequests(withoutBody)).toEqual([]);
  expect(operationRequests({ ...createPart, body: { ...body, schema: v.unknown() } })).toEqual([]);
});
