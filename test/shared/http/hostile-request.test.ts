import type { Request } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as v from 'valibot';
import { it } from 'vitest';
import { maxBodyKiB } from '../../../shared/contract/body-limits.ts';
import { idempotencyKey } from '../../../shared/contract/idempotency-key.ts';
import { jsonBody } from '../../../shared/http/json-body.ts';
import { malformedAt } from '../../../shared/http/malformed-at.ts';
import { authorizationPattern } from '../../../shared/keys/api-key.ts';
import { decodeCursor } from '../../../shared/paging/cursor.ts';
import { eventOf } from '../../support/functions/invoke.ts';
import { expectLittleTime, headerLength } from '../../support/fuzz/hostile-text.ts';
import { shelfTable } from '../../support/tables/library.ts';

const authorization = new RegExp(authorizationPattern('petstore_'));
const { schema } = idempotencyKey['Idempotency-Key'];
const shelves = { table: shelfTable, key: shelfTable.key, partition: undefined };
const readBody = (body: string, type = 'application/json') => {
  const event = eventOf({ body, headers: { 'Content-Type': [type] } });
  return jsonBody.before?.({ event } as Request<APIGatewayProxyEvent>);
};

it.each<[what: string, read: (text: string) => unknown, hostile: readonly string[]]>([
  ['Idempotency-Key', (text) => v.is(schema, text), ['"|\\"', '|"', '|!', '|\\']],
  ['Authorization', (text) => authorization.test(text), ['Bearer petstore_|a', '|Bearer ', '| ']],
  ['Content-Type', (text) => readBody('{}', text), ['application/json| ', '|application/json', '| ;']],
  ['cursor', (text) => decodeCursor(shelves, text), ['|a', '|%25', '|-_', '|LiUu']],
])('reads a hostile %s in little time', (_what, read, hostile) => {
  expectLittleTime(read, headerLength, hostile);
});

it.each([
  ['a body', readBody],
  ['where a body is malformed', malformedAt],
])('reads %s in little time, however hostile it is', (_what, read) => {
  const hostile = ['"|\\"', '|[', '|"\\', '|"', '|{"a":', '1|1', '[|"a",', '|\\', '"|\\u000', '-|.', '| '];

  expectLittleTime((text) => read(text), maxBodyKiB * 1024, hostile);
});
