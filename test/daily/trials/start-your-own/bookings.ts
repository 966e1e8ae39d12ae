import type { RepositoryCopy } from '../repository-copy.ts';

// A service of another shape than the pets: a list with a filter at one path, a create below another, and a
// change that needs If-Match.

const booking = `import * as v from 'valibot';

const roomMessage = 'must be 1 to 20 small letters and digits';

/** A room's number, such as \`b12\`. */
export const RoomId = v.pipe(v.string(roomMessage), v.regex(/^[a-z0-9]{1,20}$/, roomMessage));

const nightsMessage = 'must be an integer from 1 to 30';

const Nights = v.pipe(v.bigint(nightsMessage), v.minValue(1n, nightsMessage), v.maxValue(30n, nightsMessage));

/** What a client sends to book a room. */
export const NewBooking = v.object({ nights: v.pipe(Nights, v.description('How long the guest stays.')) });
export type NewBooking = v.InferOutput<typeof NewBooking>;

/** A booking of a room. */
export const Booking = v.object({
  id: v.pipe(v.bigint(), v.minValue(1n), v.maxValue(2n ** 53n - 1n), v.description('Assigned by the service.')),
  roomId: v.pipe(RoomId, v.description('The room.')),
  ...NewBooking.entries,
  version: v.pipe(v.bigint(), v.description('Grows with each change.')),
});
export type Booking = v.InferOutput<typeof Booking>;
`;

const table = `import type { TableDefinition } from '../tables/table.ts';
import { Booking } from './booking.ts';

/** The table of bookings. */
export const bookingTable = {
  id: 'bookings',
  nameVariable: 'BOOKINGS_TABLE',
  schema: Booking,
  key: { partition: 'id' },
  indexes: { byRoom: { partition: 'roomId', sort: 'id' } },
  keyTypes: { id: 'N', roomId: 'S' },
} as const satisfies TableDefinition<Booking>;
`;

const operations = `import * as v from 'valibot';
import type { ErrorDefinition } from '../contract/error-table.ts';
import { idempotencyKey, idempotencyReplayed } from '../contract/idempotency-key.ts';
import type { Operation, ResponseHeader } from '../contract/operation.ts';
import { nextPage, pageQuery, pageSize } from '../paging/page-query.ts';
import { Booking, NewBooking, RoomId } from './booking.ts';

export const exampleNewBooking = { nights: 2n } as const satisfies NewBooking;

const exampleBooking: Booking = { id: 7n, roomId: 'b12', ...exampleNewBooking, version: 1n };

const room = { description: 'The room.', schema: RoomId, example: exampleBooking.roomId };

const etag = {
  ETag: { description: 'The version of the booking.', schema: v.string(), example: '"1"', isRequired: true },
} as const satisfies Record<string, ResponseHeader>;

/** A page of bookings. */
export const listBookings = {
  operationId: 'listBookings',
  method: 'GET',
  path: '/bookings',
  summary: 'List bookings',
  description: 'Returns a page of bookings.',
  parameters: { query: { ...pageQuery, roomId: room } },
  success: 200,
  response: {
    description: 'A page of bookings.',
    schema: v.pipe(v.array(Booking), v.maxLength(pageSize.maximum)),
    example: [exampleBooking],
    headers: nextPage('/bookings', 'MS5pZC4uNy4yOTM0Mjc1ODk2'),
  },
  errors: ['invalid_query', 'invalid_request'],
} as const satisfies Operation;

/** A new booking of a room. */
export const createBooking = {
  operationId: 'createBooking',
  method: 'POST',
  path: '/rooms/{roomId}/bookings',
  summary: 'Book a room',
  description: 'Adds a booking and assigns its id.',
  parameters: { path: { roomId: room }, header: idempotencyKey },
  body: { schema: NewBooking, example: exampleNewBooking },
  success: 201,
  response: {
    description: 'The room was booked.',
    schema: Booking,
    example: exampleBooking,
    headers: { ...etag, ...idempotencyReplayed },
  },
  errors: [
    'invalid_json',
    'invalid_body',
    'invalid_header',
    'invalid_request',
    'not_found',
    'payload_too_large',
    'unsupported_media_type',
    'idempotency_key_reused',
    'already_deleted',
  ],
} as const satisfies Operation;

export const isChanged = {
  code: 'version_is_old',
  status: 412,
  message: 'The booking was changed since: read it again.',
} as const satisfies ErrorDefinition;

const versionMessage = 'must be the ETag of the booking';

/** Changes a booking that nobody has changed since. */
export const changeBooking = {
  operationId: 'changeBooking',
  method: 'PATCH',
  path: '/bookings/{bookingId}',
  summary: 'Change a booking',
  description: 'Changes a booking, unless it was changed since.',
  parameters: {
    path: {
      bookingId: { description: 'The booking.', schema: Booking.entries.id, example: exampleBooking.id },
    },
    header: {
      'If-Match': {
        description: 'The version to change.',
        schema: v.pipe(
          v.string(),
          v.maxLength(10, versionMessage),
          v.regex(/^"\\d+"$/, versionMessage),
          v.transform((text) => BigInt(text.slice(1, -1))),
        ),
        isRequired: true,
        example: '"1"',
      },
    },
  },
  body: { schema: NewBooking, example: exampleNewBooking },
  success: 200,
  response: { description: 'The booking.', schema: Booking, example: exampleBooking, headers: etag },
  errors: [
    'invalid_json',
    'invalid_body',
    'invalid_header',
    'invalid_request',
    'not_found',
    isChanged,
    'payload_too_large',
    'unsupported_media_type',
  ],
} as const satisfies Operation;

/** Every operation on bookings. */
export const bookingOperations = { listBookings, createBooking, changeBooking } as const satisfies Record<string, Operation>;
`;

const listHandler = `import { listBookings } from '../shared/bookings/operations.ts';
import { bookingTable } from '../shared/bookings/booking-table.ts';
import { serve } from '../shared/http/serve.ts';
import { warmUp } from '../shared/lambda/init.ts';
import { nextPageLink } from '../shared/paging/page-query.ts';
import { readPage } from '../shared/paging/read-page.ts';
import { openTable } from '../shared/tables/table.ts';

const bookings = openTable(bookingTable);
const { handle, parse, respond } = serve(listBookings);

export const handler = handle(async (event) => {
  const { query, url } = parse(event);

  const where = { field: 'roomId', equals: query.roomId } as const;
  const { items, next } = await readPage(bookings, { limit: query.limit, cursor: query.cursor, where });

  return respond(items, nextPageLink(url, query, next));
});

await warmUp(() => readPage(bookings, { limit: 1, cursor: undefined, where: { field: 'roomId', equals: 'none' } }));
`;

const createHandler = `import { bookingTable } from '../shared/bookings/booking-table.ts';
import { createBooking } from '../shared/bookings/operations.ts';
import { jsonBody } from '../shared/http/json-body.ts';
import { clientOf } from '../shared/http/request.ts';
import { serve } from '../shared/http/serve.ts';
import { warmUp } from '../shared/lambda/init.ts';
import { insertOnce, sendRefusedPut } from '../shared/tables/insert-once.ts';
import { openTable } from '../shared/tables/table.ts';

const bookings = openTable(bookingTable);
const { handle, parse, respond } = serve(createBooking, jsonBody);

export const handler = handle(async (event) => {
  const { path, header, body: newBooking } = parse(event);
  const idempotencyKey = header['Idempotency-Key'];
  const request = { client: clientOf(event), idempotencyKey, body: event.body };

  const { item, isReplay } = await insertOnce(bookings, request, (id) => ({ id, ...path, ...newBooking, version: 1n }));

  const headers = { ETag: \`"\${item.version}"\` };
  return respond(item, isReplay ? { ...headers, 'Idempotency-Replayed': 'true' } : headers);
});

await warmUp(() => sendRefusedPut(bookings));
`;

const changeHandler = `import { bookingTable } from '../shared/bookings/booking-table.ts';
import { changeBooking, isChanged } from '../shared/bookings/operations.ts';
import { ApiError } from '../shared/contract/error-table.ts';
import { jsonBody } from '../shared/http/json-body.ts';
import { serve } from '../shared/http/serve.ts';
import { warmUp } from '../shared/lambda/init.ts';
import { sendRefusedUpdate, updateIf } from '../shared/tables/change-item.ts';
import { openTable } from '../shared/tables/table.ts';

const bookings = openTable(bookingTable);
const { handle, parse, respond } = serve(changeBooking, jsonBody);

export const handler = handle(async (event) => {
  const { path, header, body } = parse(event);
  const expected = { version: header['If-Match'] };
  const changes = { ...body, version: expected.version + 1n };

  const result = await updateIf(bookings, { key: { id: path.bookingId }, expected, changes });

  if (result.outcome === 'absent') throw new ApiError('not_found');
  const { item } = result;
  // A client that lost the response repeats the change.
  const isAsWanted = item.version === changes.version && item.nights === changes.nights;
  if (!isAsWanted) throw new ApiError(isChanged);
  return respond(item, { ETag: \`"\${item.version}"\` });
});

await warmUp(() => sendRefusedUpdate(bookings));
`;

const handlerTest = `import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { handler as change } from '../../functions/change-booking.ts';
import { handler as create } from '../../functions/create-booking.ts';
import { handler as list } from '../../functions/list-bookings.ts';
import { Booking } from '../../shared/bookings/booking.ts';
import { captureLog } from '../support/functions/capture-log.ts';
import { invoke } from '../support/functions/invoke.ts';

captureLog();

const book = async (roomId: string, nights: number) => {
  const body = JSON.stringify({ nights });
  const response = await invoke(create, { method: 'POST', pathParameters: { roomId }, body });
  return v.parse(Booking, response.body);
};

const changeTo = (nights: number, { id, version }: Booking) =>
  invoke(change, {
    method: 'PATCH',
    pathParameters: { bookingId: \`\${id}\` },
    headers: { 'If-Match': [\`"\${version}"\`] },
    body: JSON.stringify({ nights }),
  });

let booking: Booking;
beforeAll(async () => {
  booking = await book('b12', 2);
  await book('b13', 2);
});

describe('bookings', () => {
  it('are listed by room', async () => {
    const response = await invoke(list, { query: 'roomId=b12' });

    expect(response).toMatchObject({ status: 200, body: [booking] });
  });

  it('are changed once per version', async () => {
    const [first, repeated, other] = [
      await changeTo(3, booking),
      await changeTo(3, booking),
      await changeTo(4, booking),
    ];

    const changed = { status: 200, headers: { ETag: '"2"' }, body: { ...booking, nights: 3n, version: 2n } };
    expect(first).toMatchObject(changed);
    expect(repeated).toMatchObject(changed);
    expect(other).toMatchObject({ status: 412, body: { code: 'version_is_old' } });
  });
});
`;

const e2eTest = `import { expect, it } from 'vitest';
import { call } from '../support/e2e/api-client.ts';

it('a change without a version is rejected', async () => {
  const response = await call('PATCH', '/bookings/1', { body: { nights: 1 } });

  expect(response).toMatchObject({ status: 400, body: { code: 'invalid_header' } });
});
`;

/** The bookings, by file. */
const files = {
  'shared/bookings/booking.ts': booking,
  'shared/bookings/booking-table.ts': table,
  'shared/bookings/operations.ts': operations,
  'functions/list-bookings.ts': listHandler,
  'functions/create-booking.ts': createHandler,
  'functions/change-booking.ts': changeHandler,
  'test/functions/bookings.test.ts': handlerTest,
  'test/e2e/bookings.test.ts': e2eTest,
};

/** The settings of their operations. */
export const bookingSettings = `
  listBookings: {
    throttling: { rateLimit: 400, burstLimit: 80 },
    tableActions: { bookings: { table: ['dynamodb:Scan'], index: ['dynamodb:Query'] } },
  },
  createBooking: {
    throttling: { rateLimit: 400, burstLimit: 80 },
    tableActions: { bookings: { table: ['dynamodb:PutItem'] } },
  },
  changeBooking: {
    throttling: { rateLimit: 400, burstLimit: 80 },
    tableActions: { bookings: { table: ['dynamodb:UpdateItem'] } },
  },`;

/** Writes the bookings, their handlers and tests. */
export function addBookings(copy: RepositoryCopy): void {
  for (const [file, text] of Object.entries(files)) copy.write(file, text);
}
