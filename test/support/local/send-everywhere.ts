import { expect, vi } from 'vitest';
import { stringifyJson } from '../../../shared/contract/json.ts';
import { exampleNewPet } from '../../../shared/contract/operations.ts';
import { sendBytes } from './send-bytes.ts';

/** Requests that hold a key in every place that is read: to the API, and to everything else on its port. */
function requestsWith(key: string) {
  const request = (line: string, headers: readonly string[] = [], body = '') =>
    [`${line} HTTP/1.1`, 'Connection: close', `Content-Length: ${body.length}`, ...headers, '', body].join(
      '\r\n',
    );
  const authorization = `Authorization: Bearer ${key}`;
  const paths = [
    `/v1/pets?${key}`,
    `/v1/pets?status=${key.replaceAll('_', '%5F')}`,
    `/v1/pets?cursor=${base64(key)}`,
    `/v1/pets/${key}`,
    `/${key}/pets`,
    `http://${key}@pets.example/v1/pets`,
  ];
  const bodies = [key, `{"name":"Bella","categoryId":"${key}"}`, `{"${key}":"${key}"}`];
  return {
    toApi: [
      ...['Host', 'User-Agent', 'X-Amzn-Trace-Id'].map((name) =>
        request('GET /v1/pets', [authorization, `${name}: ${key}`]),
      ),
      ...paths.map((path) => request(`GET ${path}`, [authorization])),
      ...bodies.map((body) => request('POST /v1/pets', [authorization], body)),
      request('POST /v1/pets', [authorization, `Idempotency-Key: "${key}`], stringifyJson(exampleNewPet)),
      request('GET /v1/pets', [`Authorization: Bearer ${key} ${key}`]),
      request('GET /v1/pets', [`Authorization: Basic ${base64(`acme:${key}`)}`]),
    ],
    others: [
      request('POST /_aws/', [], `Action=DescribeStacks&StackName=${key}`),
      `${key} /v1/pets HTTP/1.1\r\n\r\n`,
      `GET /v1/pets HTTP/1.1\r\n${key}\r\n\r\n`,
    ],
  };
}

/** Encodes a secret as Basic authentication does. */
const base64 = (secret: string) => Buffer.from(secret).toString('base64url');

/** Sends a key in every place, and expects a line of each request to the API to be printed, and none with the key. */
export async function expectNoKeyPrinted(port: number, key: string, printed: () => string): Promise<void> {
  const { toApi, others } = requestsWith(key);
  for (const bytes of others) await sendBytes(port, bytes);
  const requestIds: string[] = [];
  for (const bytes of toApi) {
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
