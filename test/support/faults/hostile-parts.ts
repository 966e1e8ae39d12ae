import fc from 'fast-check';

/** Bytes, each as the character of its number: a hostile request is made and sent as such a text. */
export type Bytes = string;

const words = (text: string) => text.trim().split(/\s+/);

const bytesOf = (text: string): Bytes => Buffer.from(text).toString('latin1');

export const anyBytes = fc
  .uint8Array({ maxLength: 60 })
  .map((bytes): Bytes => Buffer.from(bytes).toString('latin1'));

/** What has broken some server before. */
const notorious = [
  ...words(`
    % %00 %ff %C0%AF %ed%a0%80 %2e%2e%2f ../../etc/passwd __proto__ __proto__[x] constructor prototype
    hasOwnProperty toString undefined null NaN -0 1e400 9223372036854775807 9223372036854775808 ١٢ <script>
  `),
  '',
  ' ',
  '\u0000',
  '\u00ff\u00fe',
  '\u00ed\u00a0\u0080',
  '\u202e',
  "' OR 1=1 --",
];

export const anyText = fc.oneof(
  fc.constantFrom(...notorious.map(bytesOf)),
  fc.string({ unit: 'binary', maxLength: 40 }).map(bytesOf),
  anyBytes,
);

/** Without what would end a header. */
export const headerValues = anyText.map((text): Bytes => text.replaceAll(/[\r\n]/g, ''));

export const methods = fc.constantFrom(...words('GET POST HEAD PUT PATCH DELETE OPTIONS TRACE CONNECT'));

/** A JSON value that is none, or is not what it seems. */
const jsonFragments = fc.oneof(
  fc.constantFrom(
    ...words(`
      "Bella" "available" "Sold" 1 -0 00 1.0 1.5 1e400 1e-400 0e999999999999999999999 9223372036854775807
      -9223372036854775809 NaN null true [] {} {"__proto__":null}
    `),
    '9'.repeat(5000),
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\\u0000"',
    `0.${'0'.repeat(5000)}1`,
    '"\u00ed\u00a0\u0080"',
    '"\u00ff"',
    '',
  ),
  anyText.map((text): Bytes => `"${text}"`),
  fc.json({ maxDepth: 3 }).map(bytesOf),
);

export const petLike = fc
  .tuple(
    fc.constantFrom<readonly (readonly string[])[]>(
      [],
      [
        ['name', '"Bella"'],
        ['categoryId', '1'],
      ],
    ),
    fc.array(
      fc.tuple(
        fc.constantFrom('name', 'categoryId', 'status', 'id', '__proto__', 'constructor', 'n\\u0061me'),
        jsonFragments,
      ),
      { maxLength: 4 },
    ),
  )
  .map(
    (lists): Bytes =>
      `{${lists
        .flat()
        .map(([name, value]) => `"${name}":${value}`)
        .join(',')}}`,
  );

const deep = fc
  .tuple(
    fc.constantFrom(['[', ']'], ['{"a":', '}'], ['{"__proto__":', '}'], ['[{"name":', '}]']),
    fc.oneof(fc.integer({ min: 1, max: 4000 }), fc.integer({ min: 1, max: 200_000 })),
    fc.boolean(),
  )
  .map(
    ([[open = '', close = ''], depth, isClosed]): Bytes =>
      isClosed ? `${open.repeat(depth)}1${close.repeat(depth)}` : open.repeat(depth),
  );

const mebibyte = 1024 * 1024;

const huge = fc
  .tuple(
    fc.oneof(
      { weight: 20, arbitrary: fc.integer({ min: 16_300, max: 16_450 }) },
      { weight: 10, arbitrary: fc.constantFrom(65_536, mebibyte) },
      fc.constantFrom(10 * mebibyte - 28, 10 * mebibyte, 11 * mebibyte),
    ),
    fc.constantFrom('x', '\\', ' ', '\u00ff', '1'),
  )
  .map(([length, unit]): Bytes => `{"categoryId":1,"name":"${unit.repeat(length)}"}`);

export const bodies = fc.oneof(
  { weight: 4, arbitrary: petLike },
  { weight: 2, arbitrary: jsonFragments },
  { weight: 2, arbitrary: anyBytes },
  deep,
  huge,
);

export const contentTypes = fc.oneof(
  fc.constantFrom(
    'application/json',
    'application/json; charset=utf-16',
    'APPLICATION/JSON;;;',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
  ),
  headerValues,
);

const queryNames = fc.oneof(fc.constantFrom('limit', 'status', 'cursor'), anyText);

export const queries = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .array(fc.tuple(queryNames, fc.constantFrom('=', '', '[]=', '=='), anyText), { maxLength: 5 })
      .map((parameters): Bytes => parameters.map((parts) => parts.join('')).join('&')),
  },
  anyText,
  fc
    .tuple(fc.constantFrom('a&', 'limit=1&', 'cursor=%ff&', '&', '__proto__=1&', '%61&'), fc.nat(15_000))
    .map(([unit, length]): Bytes => unit.repeat(length / unit.length)),
);

const headerNames = fc.oneof(
  fc.constantFrom(
    ...words(`
      Idempotency-Key Content-Type Content-Length Transfer-Encoding Authorization Host Connection Cookie Expect
      Upgrade X-Forwarded-Proto X-Forwarded-For X-HTTP-Method-Override __proto__ constructor toString
    `),
  ),
  anyText,
);

export const headerLines = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(headerNames, anyText).map((parts): Bytes => parts.join(': ')) },
  fc.constantFrom(
    'Connection: Upgrade\r\nUpgrade: websocket',
    'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__',
    'Connection: keep-alive\r\nConnection: close',
    'Content-Encoding: gzip',
    'Content-Length: -1',
    'Content-Length: 18446744073709551616',
    'Content-Length: 0x10',
    'Content-Length: 1, 1',
    'Expect: 100-continue',
    'Expect: nothing',
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: gzip, chunked',
    'Transfer-Encoding: chunked, identity',
    'Transfer-Encoding : chunked',
    'Idempotency-Key: "',
    'Idempotency-Key: a\r\nIdempotency-Key: b',
    'Authorization: Bearer',
    'Host: 127.0.0.1\r\nHost: pets.example',
    'Range: bytes=0-0',
    'Trailer: __proto__',
    ' folded',
    '\ttoo',
    'no colon',
    ': no name',
  ),
  fc
    .tuple(
      fc.constantFrom('a:', 'Cookie: a=b', 'Accept: */*', 'Authorization: x', '__proto__: x'),
      fc.nat(5000),
    )
    .map(([line, count]): Bytes => Array.from({ length: count }, () => line).join('\r\n')),
  fc.integer({ min: 8000, max: 40_000 }).map((length): Bytes => `X-Large: ${'x'.repeat(length)}`),
);

const chunkSizes = fc.constantFrom(
  '',
  '0',
  '-1',
  '0x2',
  'ffffffffffffffff',
  '2',
  ' 2',
  '2 ;a="b"',
  '2;'.padEnd(20_000, 'x'),
);

export const chunks = fc
  .array(fc.tuple(fc.option(chunkSizes, { nil: undefined, freq: 3 }), anyBytes), { maxLength: 5 })
  .map(
    (list): Bytes =>
      list.map(([size, bytes]) => `${size ?? bytes.length.toString(16)}\r\n${bytes}\r\n`).join(''),
  );

export const chunkEnds = fc.constantFrom(
  '0\r\n\r\n',
  '0\r\n__proto__: x\r\nContent-Length: 9\r\n\r\n',
  '0\r\n',
  '\r\n\r\n',
  '',
);

export const versions = fc.constantFrom(
  'HTTP/1.1',
  'HTTP/1.0',
  'HTTP/0.9',
  'HTTP/2.0',
  'HTTP/9.9',
  'http/1.1',
  'HTTP/1.1 x',
  '',
);
