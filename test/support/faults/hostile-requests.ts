import fc from 'fast-check';
import {
  anyBytes,
  anyText,
  type Bytes,
  bodies,
  chunkEnds,
  chunks,
  contentTypes,
  headerLines,
  headerValues,
  methods,
  petLike,
  queries,
  versions,
} from './hostile-parts.ts';

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

type Exchange = Omit<HostileRequest, 'kind' | 'client'>;

/** The bytes of a request; what is not given makes it a good one. */
function request(
  authorization: string,
  {
    line = 'GET /v1/pets HTTP/1.1',
    headers = [],
    body = '',
  }: { line?: Bytes; headers?: readonly Bytes[]; body?: Bytes },
): Bytes {
  const lines = [line, 'Host: 127.0.0.1', authorization, ...headers];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

const closing = 'Connection: close';

const post = (authorization: string, body: Bytes, headers: readonly Bytes[] = [closing]): Bytes =>
  request(authorization, {
    line: 'POST /v1/pets HTTP/1.1',
    headers: [...headers, `Content-Length: ${body.length}`],
    body,
  });

const responded = (bytes: Bytes, change: Partial<Exchange> = {}): Exchange => ({
  bytes,
  responses: 1,
  isHead: /^head /i.test(bytes),
  isForAws: false,
  ...change,
});

const maybeResponded = (bytes: Bytes): Exchange => responded(bytes, { responses: 0 });

/** Each kind of hostile request, of a client with a good Authorization header. */
function exchanges(authorization: string) {
  const get = (path: Bytes, ...headers: readonly Bytes[]) =>
    request(authorization, { line: `GET ${path} HTTP/1.1`, headers: [...headers, closing] });

  const pipelined = fc.oneof(
    fc
      .constantFrom(
        '/v1/pets',
        '/v1/pets?limit=1',
        '/v1/pets?limit=x',
        '/v1/pets/1',
        '/v1/nothing',
        '/openapi.json',
      )
      .map((path) => request(authorization, { line: `GET ${path} HTTP/1.1` })),
    petLike.map((body) => post(authorization, body, [])),
  );

  return {
    'arbitrary bytes': fc
      .tuple(anyBytes, fc.constantFrom('', '\r\n', '\r\n\r\n', '\u0000'), anyBytes)
      .map((parts) => maybeResponded(parts.join(''))),
    body: fc
      .tuple(bodies, fc.option(contentTypes, { nil: undefined, freq: 3 }))
      .map(([body, type]) =>
        responded(
          post(authorization, body, [closing, ...(type === undefined ? [] : [`Content-Type: ${type}`])]),
        ),
      ),
    path: fc
      .tuple(
        methods,
        fc.constantFrom('/v1/pets/', '/v1/pets', '/v1/', '/', '', 'http://pets.example', '*'),
        fc.array(anyText, { maxLength: 3 }),
      )
      .map(([method, start, rest]) =>
        responded(
          request(authorization, {
            line: `${method} ${start}${rest.join('/').replaceAll(/\s/g, '')} HTTP/1.1`,
            headers: [closing],
          }),
        ),
      ),
    query: fc
      .tuple(fc.constantFrom('/v1/pets', '/v1/pets/1'), queries)
      .map(([path, query]) => responded(get(`${path}?${query.replaceAll(/\s/g, '')}`))),
    headers: fc
      .tuple(fc.boolean(), fc.array(headerLines, { minLength: 1, maxLength: 4 }))
      .map(([isPost, lines]) =>
        maybeResponded(
          isPost
            ? post(authorization, '{"name":"Bella","categoryId":1}', [...lines, closing])
            : get('/v1/pets', ...lines),
        ),
      ),
    authorization: fc
      .tuple(
        fc.constantFrom('Bearer ', 'bearer   ', 'Basic ', '', authorization.slice('Authorization: '.length)),
        headerValues,
      )
      .map((parts) => responded(request(`Authorization: ${parts.join('')}`, { headers: [closing] }))),
    chunks: fc.tuple(chunks, chunkEnds).map((parts) =>
      maybeResponded(
        request(authorization, {
          line: 'POST /v1/pets HTTP/1.1',
          headers: [closing, 'Transfer-Encoding: chunked'],
          body: parts.join(''),
        }),
      ),
    ),
    'request line': fc
      .tuple(
        fc.oneof(methods, anyText),
        fc.constantFrom(' ', '\t', '  ', ''),
        versions,
        fc.constantFrom('\r\n', '\n', '\r'),
      )
      .map(([method, space, version, end]) =>
        maybeResponded(
          `${method}${space}/v1/pets${space}${version}${end}${[authorization, closing, '', ''].join(end)}`,
        ),
      ),
    pipelined: fc
      .array(pipelined, { minLength: 1, maxLength: 12 })
      .map((requests) =>
        responded([...requests, get('/v1/pets')].join(''), { responses: requests.length + 1 }),
      ),
    'stand-in for AWS': fc
      .tuple(
        fc.oneof(
          fc.constantFrom('DynamoDB_20120810.ListTables', 'DynamoDB_20120810.DescribeTable'),
          headerValues,
        ),
        fc.oneof(
          fc.constantFrom(
            authorization,
            'Authorization: AWS4-HMAC-SHA256 Credential=x/, Signature=x, SignedHeaders=x',
          ),
          headerValues,
        ),
        fc.oneof(bodies, queries),
        fc.boolean(),
      )
      .map(([target, credentials, body, hasTarget]) =>
        responded(
          request(credentials.startsWith('Authorization: ') ? credentials : `Authorization: ${credentials}`, {
            line: 'POST /_aws/ HTTP/1.1',
            headers: [
              closing,
              'X-Amz-Date: 20261120T000000Z',
              ...(hasTarget ? [`X-Amz-Target: ${target}`] : []),
              `Content-Length: ${body.length}`,
            ],
            body,
          }),
          { isForAws: true },
        ),
      ),
  };
}

const clients: fc.Arbitrary<Client> = fc.oneof(
  { weight: 8, arbitrary: fc.constant({ behaviour: 'at once' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      behaviour: fc.constant('slow' as const),
      pieces: fc.integer({ min: 2, max: 20 }),
      milliseconds: fc.integer({ min: 1, max: 20 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      behaviour: fc.constant('aborting' as const),
      sent: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
);

/** So many hostile requests of every kind, the same for the same seed. */
export function hostileRequests(apiKey: string, seed: number, count: number): readonly HostileRequest[] {
  const kinds = Object.entries(exchanges(`Authorization: Bearer ${apiKey}`)).map(([kind, arbitrary]) =>
    fc.tuple(arbitrary, clients).map(
      ([exchange, client]): HostileRequest => ({
        ...exchange,
        ...(client.behaviour === 'aborting' && { responses: 0 }),
        kind,
        client,
      }),
    ),
  );
  return fc.sample(fc.oneof(...kinds), { seed, numRuns: count });
}
