import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { stringifyJson } from '../../../shared/contract/json.ts';
import { exampleNewPet } from '../../../shared/contract/operations.ts';
import { apiKey, baseUrl } from '../../support/e2e/api-client.ts';
import type { ApiResponse } from '../../support/e2e/conformance.ts';
import { expectError } from '../../support/e2e/expect-error.ts';
import { readPages } from '../../support/e2e/pets.ts';
import { sendBytes } from '../../support/local/send-bytes.ts';

const port = Number(new URL(baseUrl).port);
const newPet = stringifyJson({ ...exampleNewPet, name: 'Half sent' });

async function exchange(bytes: string): Promise<ApiResponse> {
  const [{ status, headers, body } = { status: 0, headers: {}, body: '' }] = await sendBytes(port, bytes);
  return { status, headers, text: body, body: JSON.parse(body) };
}

const request = (line: string, ...headers: readonly string[]) =>
  [line, 'Host: localhost', `Authorization: Bearer ${apiKey}`, 'Connection: close', ...headers, '', ''].join(
    '\r\n',
  );

describe('the local API', () => {
  it.each([
    ['text that is not HTTP', 'Hello, is there anybody?\r\n\r\n'],
    ['a header without a colon', 'GET /v1/pets HTTP/1.1\r\nHost localhost\r\n\r\n'],
    ['a body of two lengths', 'POST /v1/pets HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
    ['a malformed chunk', 'POST /v1/pets HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n\r\n'],
    ['too large a header', `GET /v1/pets HTTP/1.1\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('responds with 400 for %s', async (_title, malformed) => {
    const response = await exchange(malformed);

    expectError(response, 400, 'invalid_header', 'The request line or a header is malformed or too large.');
  });

  it.each([
    [
      'a header that must be given once and is given twice',
      newPet,
      ['Idempotency-Key: one', 'Idempotency-Key: two'],
      'invalid_header' as const,
      'Idempotency-Key must be given once, as 1 to 255 visible ASCII characters.',
    ],
    [
      'a body that is not UTF-8',
      '{"name":"B\u00e9la","categoryId":1}',
      [],
      'invalid_json' as const,
      'The body must be UTF-8.',
    ],
  ])('rejects %s', async (_title, body, headers, code, message) => {
    const length = `Content-Length: ${body.length}`;
    const response = await exchange(request('POST /v1/pets HTTP/1.1', length, ...headers) + body);

    expectError(response, 400, code, message);
  });

  it('creates nothing for a client that disconnects in the middle of a body, and serves the next one', async () => {
    const socket = connect(port, '127.0.0.1');
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
