import fc from 'fast-check';
import * as hostile from './hostile-parts.ts';

type Bytes = hostile.Bytes;

/** How a client behaves that sends its bytes. */
type Client =
  | { readonly behaviour: 'at once' }
  | { readonly behaviour: 'slow'; readonly pieces: number; readonly milliseconds: number }
  /** Resets the connection after so much of the request, from 0 to 1. */
  | { readonly behaviour: 'aborting'; readonly sent: number };

/** What a client sends over one connection. */
export interface HostileRequest {
  readonly kind: string;
  readonly bytes: Bytes;
  readonly client: Client;
  /** How many responses it must get; 0 where it may never be complete, and so get none. */
  readonly responses: number;
  readonly isHead: boolean;
  /** Whether it is for the stand-in for AWS, whose errors are as those of AWS. */
  readonly isForAws: boolean;
}

const closing = 'Connection: close';

const request = (line: Bytes, headers: readonly Bytes[], body: Bytes = ''): Bytes =>
  `${[line, 'Host: 127.0.0.1', ...headers].join('\r\n')}\r\n\r\n${body}`;

const get = (path: Bytes, headers: readonly Bytes[]) => request(`GET ${path} HTTP/1.1`, headers);

const post = (path: Bytes, headers: readonly Bytes[], body: Bytes) =>
  request(`POST ${path} HTTP/1.1`, [...headers, `Content-Length: ${body.length}`], body);

const withoutSpace = (text: Bytes): Bytes => text.replaceAll(/\s/g, '');

/** No header, or one with a hostile value. */
const optionalHeader = (name: string, values: fc.Arbitrary<Bytes>) =>
  fc.option(
    values.map((value) => [`${name}: ${value}`]),
    { nil: [], freq: 2 },
  );

const awsAuthorization = 'Authorization: AWS4-HMAC-SHA256 Credential=x/, Signature=x, SignedHeaders=x';
const awsTargets = hostile.word('DynamoDB_20120810.ListTables DynamoDB_20120810.DescribeTable');

/** What may never be complete. */
const mayGetNoResponse = ['arbitrary bytes', 'headers', 'chunks', 'request line'];

/** Each kind of request of a client with a good Authorization header. */
function kindsOf(authorization: string): Readonly<Record<string, fc.Arbitrary<Bytes>>> {
  const good = [authorization, closing];
  const pipelined = fc.oneof(
    hostile
      .word('/v1/pets /v1/pets?limit=1 /v1/pets?limit=x /v1/pets/1 /v1/x /openapi.json')
      .map((path) => get(path, [authorization])),
    hostile.petLike.map((body) => post('/v1/pets', [authorization], body)),
  );

  return {
    body: fc
      .tuple(hostile.bodies, optionalHeader('Content-Type', hostile.contentTypes))
      .map(([body, type]) => post('/v1/pets', [...good, ...type], body)),
    path: fc
      .tuple(
        hostile.methods,
        fc.constantFrom('/v1/pets/', '/v1/pets', '/v1/', '/', '', 'http://pets.example', '*'),
        fc.array(hostile.anyText, { maxLength: 3 }),
      )
      .map(([method, start, rest]) =>
        request(`${method} ${start}${withoutSpace(rest.join('/'))} HTTP/1.1`, good),
      ),
    query: fc
      .tuple(fc.constantFrom('/v1/pets', '/v1/pets/1'), hostile.queries)
      .map(([path, query]) => get(`${path}?${withoutSpace(query)}`, good)),
    authorization: fc
      .tuple(
        fc.constantFrom('Bearer ', 'bearer   ', 'Basic ', '', authorization.slice('Authorization: '.length)),
        hostile.headerValues,
      )
      .map((parts) => get('/v1/pets', [`Authorization: ${parts.join('')}`, closing])),
    'stand-in for AWS': fc
      .tuple(
        fc.oneof(
          fc.constantFrom(authorization, awsAuthorization),
          hostile.headerValues.map((value) => `Authorization: ${value}`),
        ),
        optionalHeader('X-Amz-Target', fc.oneof(awsTargets, hostile.headerValues)),
        fc.oneof(hostile.bodies, hostile.queries),
      )
      .map(([credentials, target, body]) =>
        post('/_aws/', [credentials, closing, 'X-Amz-Date: 20261120T000000Z', ...target], body),
      ),
    'arbitrary bytes': fc
      .tuple(hostile.anyBytes, fc.constantFrom('', '\r\n', '\r\n\r\n', '\u0000'), hostile.anyBytes)
      .map((parts) => parts.join('')),
    headers: fc
      .tuple(fc.boolean(), fc.array(hostile.headerLines, { minLength: 1, maxLength: 4 }))
      .map(([isPost, lines]) =>
        isPost
          ? post('/v1/pets', [authorization, ...lines, closing], '{"name":"Bella","categoryId":1}')
          : get('/v1/pets', [authorization, ...lines, closing]),
      ),
    chunks: fc
      .tuple(hostile.chunks, hostile.chunkEnds)
      .map((parts) =>
        request('POST /v1/pets HTTP/1.1', [...good, 'Transfer-Encoding: chunked'], parts.join('')),
      ),
    'request line': fc
      .tuple(
        fc.oneof(hostile.methods, hostile.anyText),
        fc.constantFrom(' ', '\t', '  ', ''),
        hostile.versions,
        fc.constantFrom('\r\n', '\n', '\r'),
      )
      .map(([method, space, version, end]) =>
        [`${method}${space}/v1/pets${space}${version}`, ...good, '', ''].join(end),
      ),
    pipelined: fc
      .array(pipelined, { minLength: 1, maxLength: 12 })
      .map((requests) => [...requests, get('/v1/pets', good)].join('')),
  };
}

const clients: fc.Arbitrary<Client> = fc.oneof(
  { weight: 8, arbitrary: fc.constant({ behaviour: 'at once' as const }) },
  fc.record({
    behaviour: fc.constant('slow' as const),
    pieces: fc.integer({ min: 2, max: 20 }),
    milliseconds: fc.integer({ min: 1, max: 20 }),
  }),
  fc.record({
    behaviour: fc.constant('aborting' as const),
    sent: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
);

/** So many hostile requests of every kind, the same for the same seed. */
export function hostileRequests(apiKey: string, seed: number, count: number): readonly HostileRequest[] {
  const authorization = `Authorization: Bearer ${apiKey}`;
  const responsesTo = (kind: string, bytes: Bytes, { behaviour }: Client) => {
    if (behaviour === 'aborting' || mayGetNoResponse.includes(kind)) return 0;
    return kind === 'pipelined' ? bytes.split(authorization).length - 1 : 1;
  };
  const requests = Object.entries(kindsOf(authorization)).map(([kind, texts]) =>
    fc.tuple(texts, clients).map(
      ([bytes, client]): HostileRequest => ({
        kind,
        bytes,
        client,
        responses: responsesTo(kind, bytes, client),
        isHead: /^head /i.test(bytes),
        isForAws: kind === 'stand-in for AWS',
      }),
    ),
  );
  return fc.sample(fc.oneof(...requests), { seed, numRuns: count });
}
