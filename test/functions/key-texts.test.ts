import * as v from 'valibot';
import { expect, it } from 'vitest';
import type { Operation } from '../../shared/contract/operation.ts';
import { operations, tables } from '../../shared/service.ts';
import type { TableDefinition } from '../../shared/tables/table.ts';

const definitions: readonly TableDefinition[] = tables;
const keyTypes = Object.assign({}, ...definitions.map((table) => table.keyTypes));

/** The schemas of what a request gives, by operation and name. */
const given = Object.values<Operation>(operations).flatMap(({ operationId, parameters, body }) => {
  const fields = body && 'entries' in body.schema ? Object.entries(Object(body.schema.entries)) : [];
  const inUrl = Object.entries({ ...parameters.query, ...parameters.path });
  return [...inUrl.map(([name, { schema }]) => [name, schema] as const), ...fields].map(([name, schema]) => ({
    operationId,
    name,
    schema: schema as v.GenericSchema,
  }));
});

const inKeys = given.filter(({ name }) => keyTypes[name] === 'S');
// A file without a test fails.
if (inKeys.length === 0) it.skip('no operation takes a text that is in a key');

// DynamoDB rejects an empty text in a key, and a function then responds with 500. The interface description
// allows cursors of 512 characters, which have no room for 350 bytes.
it.each(inKeys)('$operationId rejects an empty or too long $name, which is in a key', ({ name, schema }) => {
  const remedy = `A key has the text ${name}: add v.minLength(1) and v.maxLength(100) to its schema.`;
  for (const text of ['', 'a'.repeat(350), '€'.repeat(117), '.'.repeat(175)]) {
    expect(v.safeParse(schema, text).success, remedy).toBe(false);
  }
});
