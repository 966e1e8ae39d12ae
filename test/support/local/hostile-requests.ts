import fc from 'fast-check';
import { codePoint } from '../properties/code-point.ts';

/** Bytes, each as the character of its number. */
type Bytes = string;

const toBytes = (text: string): Bytes => Buffer.from(text).toString('latin1');

const anyBytes = fc
  .uint8Array({ maxLength: 60 })
  .map((bytes): Bytes => Buffer.from(bytes).toString('latin1'));

const anyText = fc.oneof(
  // What has broken some server before.
  fc.constantFrom(
    ...['', ' ', '%', '%00', '%ff', '%C0%AF', '%ed%a0%80', '%2e%2e%2f', '../../etc/passwd', "' OR 1=1 --"],
    ...['__proto__', '__proto__[x]', 'constructor', 'hasOwnProperty', 'undefined', 'NaN', '-0', '1e400'],
    ...['9223372036854775808', '<script>', '\u0000', '\u00ff\u00fe', '\u00ed\u00a0\u0080'],
  ),
  fc.string({ unit: codePoint, maxLength: 40 }).map(toBytes),
  anyBytes,
);
const withoutSpace = anyText.map((text) => text.replaceAll(/\s/g, ''));
const headerValue = anyText.map((text) => text.replaceAll(/[\r\n]/g, ''));

const jsonValue = fc.oneof(
  fc.constantFrom(
    ...['-0', '00', '1.5', '1e400', '1e-400', '0e999999999999999999999', '-9223372036854775809', 'NaN', ''],
    ...['null', '{"__proto__":null}', '"\\ud800"', '"\\u0000"', '"\u00ed\u00a0\u0080"', '"\u00ff"'],
    ...['9'.repeat(5000), `0.${'0'.repeat(5000)}1`],
  ),
  anyText.map((text) => `"${text}"`),
  fc.json({ maxDepth: 3 }).map(toBytes),
);

const field = fc
  .tuple(fc.constantFrom('name', 'n\\u0061me', 'categoryId', 'status', 'id', '__proto__', 'x'), jsonValue)
  .map(([name, value]) => `,"${name}":${value}`);

/** A pet, with fields that may repeat its own. */
const petLike = fc
  .array(field, { maxLength: 4 })
  .map((fields) => `{"name":"Bella","categoryId":1${fields.join('')}}`);

const deep = fc
  .tuple(
    fc.constantFrom(['[', ']'], ['{"a":', '}'], ['{"__proto__":', '}']),
    fc.oneof(fc.nat(4000), fc.nat(200_000)),
    fc.constantFrom(0, 1),
  )
  .map(
    ([[open = '', close = ''], depth, isClosed]) => `${open.repeat(depth)}1${close.repeat(depth * isClosed)}`,
  );

const mebibyte = 1024 * 1024;

const huge = fc
  .oneof(
    { weight: 20, arbitrary: fc.integer({ min: 16_300, max: 16_450 }) },
    fc.constantFrom(mebibyte, 10 * mebibyte - 28, 11 * mebibyte),
  )
  .map((length) => `{"categoryId":1,"name":"${'x'.repeat(length)}"}`);

const body = fc.oneof({ weight: 4, arbitrary: petLike }, jsonValue, anyBytes, deep, huge);

const query = fc.oneof(
  fc
    .array(fc.tuple(fc.constantFrom('limit', 'status', 'cursor', '__proto__'), withoutSpace), {
      maxLength: 5,
    })
    .map((parameters) => parameters.map((parameter) => parameter.join('=')).join('&')),
  withoutSpace,
  fc.nat(15_000).map((count) => 'a&'.repeat(count)),
);

const headerLine = fc.oneof(
  fc.tuple(anyText, anyText).map((parts) => parts.join(': ')),
  fc.constantFrom(
    ...['Connection: Upgrade\r\nUpgrade: h2c', 'Connection: keep-alive\r\nConnection: close', 'Host: b'],
    ...['Content-Length: -1', 'Content-Length: 18446744073709551616', 'Content-Length: 1, 1', 'Expect: x'],
    ...['Transfer-Encoding: gzip, chunked', 'Transfer-Encoding : chunked', 'Content-Encoding: gzip'],
    ...[
      'Expect: 100-continue',
      'Range: bytes=0-0',
      'Trailer: __proto__',
      'Authorization: Bearer',
      ': no name',
    ],
    ...['Idempotency-Key: "', 'Idempotency-Key: a\r\nIdempotency-Key: b', ' folded', 'no colon'],
  ),
  fc.nat(5000).map((count) => 'Cookie: a=b\r\n'.repeat(count).trimEnd()),
  fc.integer({ min: 8000, max: 40_000 }).map((length) => `X-Large: ${'x'.repeat(length)}`),
);

const chunk = fc
  .tuple(
    fc.constantFrom('', '', '0', '-1', '0x2', 'f'.repeat(16), '2 ;a="b"', '2;'.padEnd(20_000, 'x')),
    anyBytes,
  )
  .map(([size, bytes]) => `${size || bytes.length.toString(16)}\r\n${bytes}\r\n`);

const method = fc.constantFrom('GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT');

const request = (line: Bytes, headers: readonly Bytes[], content: Bytes = ''): Bytes =>
  `${[line, 'Host: 127.0.0.1', ...headers].join('\r\n')}\r\n\r\n${content}`;
const get = (path: Bytes, headers: readonly Bytes[]) => request(`GET ${path} HTTP/1.1`, headers);
const post = (path: Bytes, headers: readonly Bytes[], content: Bytes) =>
  request(`POST ${path} HTTP/1.1`, [...headers, `Content-Length: ${content.length}`], content);

/** Each kind of complete request to the API, which closes the connection. */
const toApi = (authorization: string, headers: readonly string[]) => [
  fc
    .tuple(body, fc.option(headerValue))
    .map(([content, type]) =>
      post('/v1/pets', type === null ? headers : [...headers, `Content-Type: ${type}`], content),
    ),
  fc
    .tuple(method, fc.constantFrom('/v1/pets/', '/v1/', '/', 'http://pets.example', '*'), withoutSpace)
    .map(([verb, start, rest]) => request(`${verb} ${start}${rest} HTTP/1.1`, headers)),
  fc
    .tuple(fc.constantFrom('/v1/pets', '/v1/pets/1'), query)
    .map(([path, text]) => get(`${path}?${text}`, headers)),
  fc
    .tuple(fc.constantFrom('Bearer ', 'bearer   ', 'Basic ', ''), headerValue)
    .map((parts) => get('/v1/pets', [`Authorization: ${parts.join('')}`, 'Connection: close'])),
  fc
    .array(petLike, { maxLength: 12 })
    .map(
      (pets) => pets.map((pet) => post('/v1/pets', [authorization], pet)).join('') + get('/v1/pets', headers),
    ),
];

/** Each kind of request that may never be complete. */
const incomplete = (headers: readonly string[]) => [
  fc.tuple(anyBytes, fc.constantFrom('', '\r\n\r\n', '\u0000'), anyBytes).map((parts) => parts.join('')),
  fc
    .array(headerLine, { minLength: 1, maxLength: 4 })
    .map((lines) => post('/v1/pets', [...lines, ...headers], '{"name":"Bella","categoryId":1}')),
  fc
    .tuple(fc.array(chunk, { maxLength: 5 }), fc.constantFrom('0\r\n\r\n', '0\r\n__proto__: x\r\n\r\n', ''))
    .map(([chunks, end]) =>
      request('POST /v1/pets HTTP/1.1', [...headers, 'Transfer-Encoding: chunked'], chunks.join('') + end),
    ),
  fc
    .tuple(
      fc.oneof(method, anyText),
      fc.constantFrom(' ', '\t', ''),
      fc.constantFrom('HTTP/1.0', 'HTTP/9.9', ''),
    )
    .map(([verb, space, version]) => request(`${verb}${space}/v1/pets${space}${version}`, headers)),
];

/** Each kind of request to the stand-in for AWS, whose errors are those of AWS. */
const toAws = (authorization: string) =>
  fc
    .tuple(
      fc.constantFrom(
        authorization,
        'Authorization: AWS4-HMAC-SHA256 Credential=x/, Signature=x, SignedHeaders=x',
      ),
      fc.oneof(
        fc.constantFrom('DynamoDB_20120810.ListTables', 'DynamoDB_20120810.DescribeTable'),
        headerValue,
      ),
      fc.oneof(body, query),
    )
    .map(([credentials, target, content]) => {
      const headers = [credentials, `X-Amz-Target: ${target}`, 'X-Amz-Date: 20261120T000000Z'];
      return post('/_aws/', [...headers, 'Connection: close'], content);
    });

export interface HostileRequest {
  readonly kind: 'to the API' | 'to AWS' | 'incomplete';
  readonly bytes: Bytes;
  readonly pieces: number;
  readonly isAborted: boolean;
}

/** A hostile request of a client with a valid key, and how it is sent. */
export function hostileRequest(apiKey: string): fc.Arbitrary<HostileRequest> {
  const authorization = `Authorization: Bearer ${apiKey}`;
  const headers = [authorization, 'Connection: close'];
  const isAborted = fc.constantFrom(true, ...Array<boolean>(9).fill(false));
  const pieces = fc.oneof({ weight: 8, arbitrary: fc.constant(1) }, fc.integer({ min: 2, max: 10 }));
  const of = (kind: HostileRequest['kind'], bytes: readonly fc.Arbitrary<Bytes>[]) =>
    fc.record({ kind: fc.constant(kind), bytes: fc.oneof(...bytes), pieces, isAborted });
  return fc.oneof(
    { weight: 5, arbitrary: of('to the API', toApi(authorization, headers)) },
    { weight: 4, arbitrary: of('incomplete', incomplete(headers)) },
    of('to AWS', [toAws(authorization)]),
  );
}
