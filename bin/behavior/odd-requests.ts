import { stringifyJson } from '../../shared/contract/json.ts';
import { createPath } from '../../test/support/contract/own-operations.ts';
import { get, type HttpRequest, latin1, withKey } from '../../test/support/http/http-request.ts';
import { keyHeader } from './history.ts';

export const post = (content: string, key?: string): HttpRequest => ({
  requestLine: `POST /v1${createPath} HTTP/1.1`,
  headers: [withKey, 'Content-Type: application/json', ...(key === undefined ? [] : [keyHeader + key])],
  content,
});

/** Returns a pet with an unknown field. */
const withUnknown = (value: string) => `{"name":"Bella","categoryId":1,"x":${value}}`;

// Values that one version may accept and another reject, or read in another way.
export const oddLimits = '1 20 100 0 101 -1 020 +5 1e1 5.0 %205 5%20 0x10 x'.split(' ').concat('');
export const oddStatuses = 'AVAILABLE Sold %20sold sold%20 unknown available,sold'.split(' ').concat('');
export const oddCursors = ['', 'x', 'MS5pZC4uMS4w', '%00'];
const oddQueries = [
  'limit=2&limit=3',
  'status=sold&status=sold',
  'Limit=1',
  'limit[]=1',
  'unknown=1',
  '&',
  'limit',
];
const oddIds = '0 1 -1 01 1.0 %31 x 9007199254740992 1/ %20 1?x=1'.split(' ');
const oddNames = [
  'Bella',
  ' Bella',
  'Bella ',
  '  ',
  '',
  '\u00a0',
  'Béla',
  'Be\u0301la',
  '🐕',
  'a\u0000',
  'A\nb',
];
const longNames = ['x'.repeat(255), 'x'.repeat(256), '🐕'.repeat(255), '🐕'.repeat(256)];
export const names = [...oddNames, ...longNames]
  .map((name) => stringifyJson(name))
  .concat('1', 'null', '"\\ud800"');
export const categoryIds = '0 1 -1 -0 1.0 1e3 1.5 "1" null true 9007199254740993 9223372036854775808'.split(
  ' ',
);
export const statuses = '"available" "pending" "sold" "" "SOLD" null 1'.split(' ');
const bodies = [
  '',
  '{}',
  '[]',
  'null',
  '{',
  '\u00ff',
  '{"name":"a"}',
  '{"name":"a","name":"b","categoryId":1}',
];
/** About as deep, and about as long, as a body may be. */
const deepBodies = [31, 32, 33].map((depth) => withUnknown('['.repeat(depth - 1) + ']'.repeat(depth - 1)));
const longBodies = [16_383, 16_384, 16_385].map((length) =>
  withUnknown(`"${'x'.repeat(length - withUnknown('""').length)}"`),
);
const contentTypes = [
  'application/json; charset=utf-8',
  'APPLICATION/JSON',
  'application/json;charset=latin1',
  'application/merge-patch+json',
  'text/plain',
  '',
];
const oddKeys = [
  '',
  '"',
  '""',
  'a"b',
  '"a\\"b"',
  '"a\\b"',
  'a\\b',
  '"a\\\\b"',
  'a b',
  '"a b"',
  'x'.repeat(255),
  'x'.repeat(256),
  '\u00e9',
  'a, b',
];
const oddAuthorizations = [
  '',
  'Bearer',
  'Basic eDp5',
  'Bearer petstore_staging_x',
  // Of the right form: the first has a wrong checksum, and the others are unknown.
  `Bearer petstore_staging_${'0'.repeat(38)}`,
  `Bearer petstore_staging_${'0'.repeat(32)}3HI0VV`,
  `Bearer petstore_production_${'0'.repeat(32)}2Cohqe`,
];
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const paths = ['/v1/pets', '/v1/pets/', '/v1/pets/1', '/v1', '/v1/', '/v1/pet', '/v1/pets/1/x'];

/** Returns a create with an `Idempotency-Key` of its own, so that its id is the same each time. */
const create = (content: string, index: number) => post(content, `odd-${index}`);
const newPet = '{"name":"Bella","categoryId":1}';

/** Requests that each have one odd part. */
export const oddRequests: readonly HttpRequest[] = [
  ...[
    ...names.map((name) => latin1(`{"name":${name},"categoryId":1}`)),
    ...categoryIds.map((categoryId) => `{"name":"Bella","categoryId":${categoryId}}`),
    ...statuses.map((status) => `{"name":"Bella","categoryId":1,"status":${status}}`),
    ...bodies,
    ...deepBodies,
    ...longBodies,
  ].map(create),
  ...contentTypes.map((type, index) => ({
    ...post(newPet),
    headers: [withKey, `Content-Type: ${type}`, `${keyHeader}type-${index}`],
  })),
  ...oddKeys.map((key) => post(newPet, key)),
  ...oddLimits.map((limit) => get(`/v1/pets?limit=${limit}`)),
  ...oddStatuses.map((status) => get(`/v1/pets?status=${status}`)),
  ...oddCursors.map((cursor) => get(`/v1/pets?cursor=${cursor}`)),
  ...oddQueries.map((query) => get(`/v1/pets?${query}`)),
  ...oddIds.map((id) => get(`/v1/pets/${id}`)),
  ...oddAuthorizations.map((value) => get('/v1/pets', [`Authorization: ${value}`])),
  get('/v1/pets', []),
  get('/v1/pets', [withKey, withKey]),
  get('/v1/pets', [withKey.replace('Bearer', 'BEARER  ')]),
  ...methods.flatMap((method) =>
    paths.map((path) => ({ requestLine: `${method} ${path} HTTP/1.1`, headers: [withKey] })),
  ),
];
