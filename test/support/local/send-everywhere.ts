import { expect, vi } from 'vitest';
import { sendBytes } from './send-bytes.ts';

const request = (line: string, headers: readonly string[], body = '') =>
  [`${line} HTTP/1.1`, 'Connection: close', `Content-Length: ${body.length}`, ...headers, '', body].join(
    '\r\n',
  );

/** Encodes a secret as Basic authentication does. */
const base64 = (secret: string) => Buffer.from(secret).toString('base64url');

/** Returns requests to the API that hold a key in every place that is read. */
function requestsWith(key: string): string[] {
  const authorization = `Authorization: Bearer ${key}`;
  const paths = [
    `/v1/pets?${key}`,
    `/v1/pets?status=${key.replaceAll('_', '%5F')}`,
    `/v1/pets?cursor=${base64(key)}`,
    `/v1/pets/${key}`,
    `/${key}/pets`,
    `http://${key}@pets.example/v1/pets`,
  ];
  const headers = [
    ...[`Host: ${key}`, `User-Agent: ${key}`, `X-Amzn-Trace-Id: ${key}`, `Idempotency-Key: "${key}`],
    ...[`Authorization: Bearer ${key} ${key}`, `Authorization: Basic ${base64(`acme:${key}`)}`],
  ];
  const bodies = [key, `{"name":"Bella","categoryId":"${key}"}`, `{"${key}":"${key}"}`];
  return [
    ...paths.map((path) => request(`GET ${path}`, [authorization])),
    ...headers.map((header) => request('POST /v1/pets', [header, authorization], '{}')),
    ...bodies.map((body) => request('POST /v1/pets', [authorization], body)),
  ];
}

/** Sends a key in every place, and expects a printed line per request to the API, and none with the key. */
export async function expectNoKeyPrinted(port: number, key: string, printed: () => string): Promise<void> {
  await sendBytes(port, request('POST /_aws/', [], `Action=DescribeStacks&StackName=${key}`));
  await sendBytes(port, `${key} /v1/pets HTTP/1.1\r\n\r\n`);
  await sendBytes(port, `GET /v1/pets HTTP/1.1\r\n${key}\r\n\r\n`);
  const requestIds: string[] = [];
  for (const bytes of requestsWith(key)) {
    const [response] = await sendBytes(port, bytes);
    requestIds.push(String(response?.headers['x-amzn-requestid']));
  }

  const lines = await vi.waitFor(() => {
    const text = printed();
    expect(requestIds.filter((id) => !text.includes(id))).toStrictEqual([]);
    return text.split('\n');
  });
  const secrets = [key.slice(-38), base64(key), base64(`acme:${key}`)];
  expect(lines.filter((line) => secrets.some((secret) => line.includes(secret)))).toStrictEqual([]);
}
