import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { apiKey, baseUrl } from '../../support/e2e/api-client.ts';
import type { ApiResponse } from '../../support/e2e/conformance.ts';
import { expectError } from '../../support/e2e/expect-error.ts';
import { readPages } from '../../support/e2e/pets.ts';

const newPet = '{"name":"Half sent","categoryId":1}';

describe('the local API', () => {
  const open = () => {
    const { hostname, port } = new URL(baseUrl);
    return connect(Number(port), hostname);
  };

  /** Sends what may be no HTTP, and reads the response until the connection is closed. */
  async function exchange(request: string | Buffer): Promise<ApiResponse> {
    const socket = open();
    socket.write(request);
    return parseResponse(await text(socket));
  }

  const request = (line: string, ...headers: readonly string[]) =>
    [
      line,
      'Host: localhost',
      `Authorization: Bearer ${apiKey}`,
      'Connection: close',
      ...headers,
      '',
      '',
    ].join('\r\n');

  it.each([
    ['text that is no HTTP', 'Hello, is there anybody?\r\n\r\n'],
    ['a header without a colon', 'GET /v1/pets HTTP/1.1\r\nHost localhost\r\n\r\n'],
    ['a body of two lengths', 'POST /v1/pets HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
    [
      'a body that is both chunked and of a length',
      'POST /v1/pets HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a malformed chunk', 'POST /v1/pets HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n\r\n'],
    ['too large a header', `GET /v1/pets HTTP/1.1\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['too long a path', `GET /v1/pets/${'1'.repeat(20_000)} HTTP/1.1\r\n\r\n`],
  ])('responds with 400 for %s', async (_title, malformed) => {
    const response = await exchange(malformed);

    expectError(response, 400, 'invalid_header', 'The request line or a header is malformed or too large.');
  });

  it('takes no notice of an expectation that it does not know', async () => {
    const response = await exchange(request('GET /v1/pets HTTP/1.1', 'Expect: nonsense'));

    expect(response.status).toBe(200);
    expect(response.body).toBeInstanceOf(Array);
  });

  it('refuses a header that must be given once and is given twice', async () => {
    const response = await exchange(
      request(
        'POST /v1/pets HTTP/1.1',
        'Idempotency-Key: one',
        'Idempotency-Key: two',
        `Content-Length: ${newPet.length}`,
      ) + newPet,
    );

    expectError(
      response,
      400,
      'invalid_header',
      'Idempotency-Key must be given once, as 1 to 255 visible ASCII characters.',
    );
  });

  it('refuses a body that is no UTF-8', async () => {
    const body = Buffer.from('{"name":"Béla","categoryId":1}', 'latin1');

    const response = await exchange(
      Buffer.concat([Buffer.from(request('POST /v1/pets HTTP/1.1', `Content-Length: ${body.length}`)), body]),
    );

    expectError(response, 400, 'invalid_json', 'The body must be UTF-8.');
  });

  it('creates nothing for a client that goes away in the middle of a body, and serves the next one', async () => {
    const socket = open();
    socket.write(request('POST /v1/pets HTTP/1.1', 'Expect: 100-continue', 'Content-Length: 1000'));
    await once(socket, 'data');
    socket.write(newPet);
    socket.resetAndDestroy();
    await once(socket, 'close');

    const pages = await readPages('?limit=100');

    const names = pages.flatMap(({ pets }) => pets.map(({ name }) => name));
    expect(names).not.toContain('Half sent');
  });
});

function parseResponse(response: string): ApiResponse {
  const [head = '', body = ''] = response.split('\r\n\r\n', 2);
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = lines
    .map((line) => line.split(': ', 2))
    .map(([name = '', value]) => [name.toLowerCase(), value]);
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(headers),
    text: body,
    body: JSON.parse(body),
  };
}
