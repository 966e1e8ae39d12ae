import fc from 'fast-check';
import { codePoint } from '../properties/code-point.ts';

/** Bytes, each as the character of its number: a hostile request is made and sent as such a text. */
export type Bytes = string;

const toBytes = (text: string): Bytes => Buffer.from(text).toString('latin1');

/** One of some words. */
export const word = (words: string) => fc.constantFrom(...words.trim().split(/\s+/));

export const anyBytes = fc
  .uint8Array({ maxLength: 60 })
  .map((bytes): Bytes => Buffer.from(bytes).toString('latin1'));

export const anyText = fc.oneof(
  // What has broken some server before.
  fc
    .oneof(
      word(`
        % %00 %ff %C0%AF %ed%a0%80 %2e%2e%2f ../../etc/passwd __proto__ __proto__[x] constructor prototype
        hasOwnProperty toString undefined null NaN -0 1e400 9223372036854775807 9223372036854775808 ١٢ <script>
      `),
      fc.constantFrom('', ' ', '\u0000', '\u00ff\u00fe', '\u00ed\u00a0\u0080', '\u202e', "' OR 1=1 --"),
    )
    .map(toBytes),
  fc.string({ unit: codePoint, maxLength: 40 }).map(toBytes),
  anyBytes,
);

/** Without what would end a header. */
export const headerValues = anyText.map((text): Bytes => text.replaceAll(/[\r\n]/g, ''));

export const methods = word('GET POST HEAD PUT PATCH DELETE OPTIONS TRACE CONNECT');

/** A JSON value that is none, or is not what it seems. */
const jsonFragments = fc.oneof(
  word(`
    "Bella" "available" "Sold" 1 -0 00 1.0 1.5 1e400 1e-400 0e999999999999999999999 9223372036854775807
    -9223372036854775809 NaN null true [] {} {"__proto__":null} "\\ud800" "\\udc00\\ud800" "\\u0000"
  `),
  fc.constantFrom('9'.repeat(5000), `0.${'0'.repeat(5000)}1`, '"\u00ed\u00a0\u0080"', '"\u00ff"', ''),
  anyText.map((text): Bytes => `"${text}"`),
  fc.json({ maxDepth: 3 }).map(toBytes),
);

const fields = fc
  .tuple(word('name categoryId status id __proto__ constructor n\\u0061me'), jsonFragments)
  .map(([name, value]) => `"${name}":${value}`);

export const petLike = fc
  .tuple(fc.constantFrom([], ['"name":"Bella"', '"categoryId":1']), fc.array(fields, { maxLength: 4 }))
  .map((lists): Bytes => `{${lists.flat().join(',')}}`);

const deep = fc
  .tuple(
    fc.constantFrom(['[', ']'], ['{"a":', '}'], ['{"__proto__":', '}'], ['[{"name":', '}]']),
    fc.oneof(fc.integer({ min: 1, max: 4000 }), fc.integer({ min: 1, max: 200_000 })),
    fc.constantFrom(0, 1),
  )
  .map(([[open = '', close = ''], depth, isClosed]): Bytes => {
    return `${open.repeat(depth)}${'1'.repeat(isClosed)}${close.repeat(depth * isClosed)}`;
  });

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
  fc.mixedCase(fc.stringMatching(/^application\/(json(; charset=utf-16|;;;)?|x-www-form-urlencoded)$/)),
  fc.constant('multipart/form-data; boundary=x'),
  headerValues,
);

const queryNames = fc.oneof(word('limit status cursor'), anyText);

const parameters = fc.tuple(queryNames, fc.constantFrom('=', '', '[]=', '=='), anyText);

export const queries = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .array(parameters, { maxLength: 5 })
      .map((list): Bytes => list.map((parts) => parts.join('')).join('&')),
  },
  anyText,
  fc
    .tuple(word('a& limit=1& cursor=%ff& & __proto__=1& %61&'), fc.nat(15_000))
    .map(([unit, length]): Bytes => unit.repeat(length / unit.length)),
);

const headerNames = fc.oneof(
  word(`
    Idempotency-Key Content-Type Content-Length Transfer-Encoding Authorization Host Connection Cookie Expect
    Upgrade X-Forwarded-Proto X-Forwarded-For X-HTTP-Method-Override __proto__ constructor toString
  `),
  anyText,
);

const troublesomeHeaders = [
  /^Connection: Upgrade(, HTTP2-Settings\r\nHTTP2-Settings: AAMA)?\r\nUpgrade: (websocket|h2c)$/,
  /^Content-Length: (-1|18446744073709551616|0x10|1, 1)$/,
  /^Transfer-Encoding ?: (chunked|gzip, chunked|chunked, identity)$/,
  /^(Content-Encoding: gzip|Expect: (100-continue|nothing)|Range: bytes=0-0|Trailer: __proto__)$/,
  /^(Idempotency-Key: ("|a\r\nIdempotency-Key: b)|Authorization: Bearer|Host: a\r\nHost: b)$/,
  /^(Connection: keep-alive\r\nConnection: close| folded|\ttoo|no colon|: no name)$/,
];

export const headerLines = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(headerNames, anyText).map((parts): Bytes => parts.join(': ')) },
  ...troublesomeHeaders.map((pattern) => fc.stringMatching(pattern)),
  fc
    .tuple(fc.stringMatching(/^(a:|Cookie: a=b|Accept: \*\/\*|Authorization: x|__proto__: x)$/), fc.nat(5000))
    .map(([line, count]): Bytes => Array.from({ length: count }, () => line).join('\r\n')),
  fc.integer({ min: 8000, max: 40_000 }).map((length): Bytes => `X-Large: ${'x'.repeat(length)}`),
);

const chunkSizes = fc.oneof(
  { weight: 8, arbitrary: fc.stringMatching(/^(0|-1|0x2|f{16}| ?2|2 ;a="b")?$/) },
  fc.constant('2;'.padEnd(20_000, 'x')),
);

export const chunks = fc
  .array(fc.tuple(fc.option(chunkSizes, { nil: undefined, freq: 3 }), anyBytes), { maxLength: 5 })
  .map(
    (list): Bytes =>
      list.map(([size, bytes]) => `${size ?? bytes.length.toString(16)}\r\n${bytes}\r\n`).join(''),
  );

export const chunkEnds = fc.constantFrom(
  ...['0\r\n\r\n', '0\r\n__proto__: x\r\nContent-Length: 9\r\n\r\n', '0\r\n', '\r\n\r\n', ''],
);

export const versions = fc.stringMatching(/^(HTTP\/(1\.1( x)?|1\.0|0\.9|2\.0|9\.9)|http\/1\.1)?$/);
