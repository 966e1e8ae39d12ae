import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { body, createPath } from '../../../../test/support/contract/own-operations.ts';
import { apiKey, baseUrl, call } from '../../../../test/support/e2e/api-client.ts';
import { sendBytes } from '../../../../test/support/http/send-bytes.ts';

const port = Number(new URL(baseUrl).port);

/** Returns the head of a create. */
const post = (...headers: readonly string[]) =>
  [
    `POST /v1${createPath} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${apiKey}`,
    'Connection: close',
    ...headers,
    '\r\n',
  ].join('\r\n');

it('the local API responds with 400 for a body that is not UTF-8', async () => {
  const bytes = `${post('Content-Length: 15')}{"name":"B\u00e9la"}`;

  const [response] = await sendBytes(port, bytes);

  const { code, message } = JSON.parse(response?.body ?? '');
  expect({ code, message }).toStrictEqual({ code: 'invalid_json', message: 'The body must be UTF-8.' });
});

it.each([
  ['400 for text that is not HTTP', 400, 'Hello, is there anybody?\r\n\r\n'],
  ['400 for a malformed chunk', 400, `${post('Transfer-Encoding: chunked')}x\r\n\r\n`],
  ['431 for too large a header', 431, post(`X-Large: ${'x'.repeat(11_000)}`)],
])('the local API responds with %s', async (_title, status, bytes) => {
  expect(await sendBytes(port, bytes)).toMatchObject([{ status, body: '' }]);
});

it('the local API creates nothing for a client that disconnects mid-body', async () => {
  const key = randomUUID();
  const isIncomplete = true;
  const bytes = `${post('Content-Length: 1000', `Idempotency-Key: ${key}`)}${body}`;
  expect(await sendBytes(port, bytes, isIncomplete)).toEqual([]);

  const { status, headers } = await call('POST', createPath, { headers: { 'Idempotency-Key': key }, body });

  expect(status).toBe(201);
  expect(headers).not.toHaveProperty('idempotency-replayed');
});
