import { describe, expect, it } from 'vitest';
import { examplesOf } from '../../infra/release/harmless-requests.ts';
import { operationSettings } from '../../infra/settings/operation-settings.ts';
import { stringifyJson } from '../../shared/contract/json.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { type OperationId, operations, tables } from '../../shared/service.ts';
import type { TableDefinition } from '../../shared/tables/table.ts';
import { captureLog } from '../support/functions/capture-log.ts';
import { invoke } from '../support/functions/invoke.ts';

captureLog();

const definitions: readonly TableDefinition[] = tables;

/** Returns the names of the texts in the keys of the tables that an operation uses. */
function keyTextsOf(operationId: OperationId): ReadonlySet<string> {
  const used = definitions.filter(({ id }) => id in operationSettings[operationId].tables);
  const texts = used.flatMap(({ keyTypes }) => Object.entries(keyTypes)).filter(([, type]) => type === 'S');
  return new Set(texts.map(([name]) => name));
}

/** Where a request has a text of a key. */
const inputs = Object.values<Operation & { operationId: OperationId }>(operations).flatMap((operation) => {
  const { operationId, parameters, body } = operation;
  const fields = body && 'entries' in body.schema ? Object.keys(Object(body.schema.entries)) : [];
  const places = {
    query: Object.keys(parameters.query ?? {}),
    path: Object.keys(parameters.path ?? {}),
    body: fields,
  };
  const texts = keyTextsOf(operationId);
  return Object.entries(places).flatMap(([place, names]) =>
    names.filter((name) => texts.has(name)).map((name) => ({ operationId, place, name, operation })),
  );
});

// DynamoDB rejects an empty text in a key, and a function then responds with 500. The interface description
// allows cursors of 512 characters, which have no room for 350 bytes, nor for 175 dots, which they escape.
describe.each(inputs)('$operationId, with $name in its $place', ({ place, name, operation }) => {
  it.each([
    ['no character', ''],
    ['350 letters', 'a'.repeat(350)],
    ['175 dots', '.'.repeat(175)],
    ['117 characters of 3 bytes', '€'.repeat(117)],
    ['88 characters of 4 bytes', '🐕'.repeat(88)],
  ])('rejects %s', async (_title, text) => {
    const { operationId, method, parameters, body } = operation;
    const file = operationId.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const { handler } = await import(`../../functions/${file}.ts`);
    const given = { [name]: text };

    const { status } = await invoke(handler, {
      method,
      at: '2026-11-20T00:00:00Z',
      query: place === 'query' ? `${new URLSearchParams(given)}` : '',
      pathParameters: { ...examplesOf(parameters.path), ...(place === 'path' && given) },
      body: body ? stringifyJson({ ...Object(body.example), ...(place === 'body' && given) }) : '',
    });

    const remedy = `A key has the text ${name}: add v.minLength(1) and v.maxLength(100) to its schema.`;
    expect(status, remedy).toBe(place === 'path' ? 404 : 400);
  });
});
