import fc from 'fast-check';
import { createPath, body as example, list, path, table } from '../contract/own-operations.ts';
import { get, type HttpRequest, latin1, withKey } from '../http/http-request.ts';
import { codePoint } from './code-point.ts';

const target = `/v1${path}`;
const createTarget = `/v1${createPath}`;

const anyBytes = fc.uint8Array({ maxLength: 60 }).map(latin1);

const anyText = fc.oneof(
  // Text that has broken other servers.
  fc.constantFrom(
    '',
    ' ',
    '%',
    '%00',
    '%C0%AF',
    '%ed%a0%80',
    '../../etc/passwd',
    "' OR 1=1 --",
    '__proto__',
    '__proto__[x]',
    'constructor',
    'NaN',
    '-0',
    '1e400',
    '9223372036854775808',
    '\u00ed\u00a0\u0080',
  ),
  fc.string({ unit: codePoint, maxLength: 40 }).map(latin1),
  anyBytes,
);
const word = anyText.map((text) => text.replaceAll(/\s/g, ''));
const line = anyText.map((text) => text.replaceAll(/[\r\n]/g, ''));

const jsonValue = fc.oneof(
  fc.constantFrom(
    '00',
    '1.5',
    '1e400',
    '1e-400',
    '0e999999999999999999999',
    '-9223372036854775809',
    '',
    'null',
    '{"__proto__":null}',
    '"\\ud800"',
    '"\\u0000"',
    '"\u00ff"',
    '9'.repeat(5000),
  ),
  anyText.map((text) => `"${text}"`),
  fc.json({ maxDepth: 3 }).map(latin1),
);

const [firstField = ''] = Object.keys(JSON.parse(example));
const escapedField = firstField.replace(/^./, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`);
/** The example with more fields, some perhaps duplicates. */
const created = fc
  .dictionary(
    fc.constantFrom(escapedField, ...Object.keys(table.schema.entries), '__proto__', 'x'),
    jsonValue,
  )
  .map((fields) => Object.entries(fields).map(([name, value]) => `,"${name}":${value}`))
  .map((fields) => `${example.slice(0, -1)}${fields.join('')}}`);

const body = fc.oneof(
  { weight: 4, arbitrary: created },
  jsonValue,
  anyBytes,
  fc.nat(4000).map((depth) => '['.repeat(depth)),
  // About as long as a body may be.
  fc
    .integer({ min: 16_300, max: 16_450 })
    .map((length) => `${example.slice(0, -1)},"x":"${'x'.repeat(length)}"}`),
);

const query = fc.oneof(
  fc
    .array(fc.tuple(fc.constantFrom(...Object.keys(list.parameters.query ?? {}), '__proto__'), word), {
      maxLength: 5,
    })
    .map((parameters) => parameters.map((parameter) => parameter.join('=')).join('&')),
  fc.nat(15_000).map((count) => 'a&'.repeat(count)),
);

const header = fc.oneof(
  fc.tuple(anyText, anyText).map((parts) => parts.join(': ')),
  fc.constantFrom(
    'Connection: Upgrade\r\nUpgrade: h2c',
    'Host: b',
    'Content-Length: -1',
    'Content-Length: 1, 1',
    'Transfer-Encoding: gzip, chunked',
    'Transfer-Encoding : chunked',
    'Expect: x',
    ': no name',
    'Idempotency-Key: "',
    'Idempotency-Key: a\r\nIdempotency-Key: b',
    ' folded',
    'no colon',
  ),
  fc.nat(5000).map((count) => 'Cookie: a=b\r\n'.repeat(count).trimEnd()),
  fc.integer({ min: 8000, max: 40_000 }).map((length) => `X-Large: ${'x'.repeat(length)}`),
);

const method = fc.constantFrom('GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE');

const post = (path: string, headers: readonly string[], content: string): HttpRequest => ({
  requestLine: `POST ${path} HTTP/1.1`,
  headers,
  content,
});

/** One or more complete requests, to be sent over one connection. */
export const hostileRequests: fc.Arbitrary<readonly HttpRequest[]> = fc.oneof(
  body.map((content) => [post(createTarget, [withKey], content)]),
  line.map((type) => [post(createTarget, [withKey, `Content-Type: ${type}`], '{}')]),
  fc
    .tuple(method, fc.constantFrom(`${target}/`, '/v1/', '/', 'http://pets.example', '*'), word)
    .map(([verb, start, rest]) => [{ requestLine: `${verb} ${start}${rest} HTTP/1.1`, headers: [withKey] }]),
  query.map((text) => [get(`${target}?${text}`)]),
  fc
    .tuple(fc.constantFrom('Bearer ', 'bearer   ', 'Basic ', ''), line)
    .map((parts) => [get(target, [`Authorization: ${parts.join('')}`])]),
  fc
    .array(created, { maxLength: 12 })
    .map((bodies) => bodies.map((content) => post(createTarget, [withKey], content)))
    .map((creates) => [...creates, get(target)]),
);

/** Bytes that are no HTTP. */
export const noHttp = anyBytes.map((bytes) => `${bytes}\r\n\r\n`);

/** A request whose headers may be malformed, or may announce more than is sent. */
export const malformedRequest: fc.Arbitrary<HttpRequest> = fc
  .array(header, { minLength: 1, maxLength: 4 })
  .map((lines) => post(createTarget, [...lines, withKey], example));
