import { expect, vi } from 'vitest';
import { generateApiKey } from '../../../shared/contract/api-key.ts';
import { sendBytes } from './send-bytes.ts';

/** A secret as Basic authentication, say, has it. */
const base64 = (secret: string) => Buffer.from(secret).toString('base64url');

/** Requests that hold a key, in every place that can: to the API, and to what else listens there. */
function requestsWith(key: string): {
  readonly toApi: readonly string[];
  readonly others: readonly string[];
} {
  const encoded = key.replaceAll('_', '%5F');
  const request = (line: string, headers: readonly string[] = [], body = '') =>
    [`${line} HTTP/1.1`, 'Connection: close', `Content-Length: ${body.length}`, ...headers, '', body].join(
      '\r\n',
    );
  const authorizations = [
    key,
    `bearer   ${key}`,
    `Bearer ${key} ${key}`,
    `Bearer ${generateApiKey('production')}, Bearer ${key}`,
    `Basic ${base64(`acme:${key}`)}`,
    `Digest username="${key}"`,
  ];
  const headers = ['Cookie', 'Host', 'User-Agent', 'Expect', 'X-Amzn-Trace-Id', 'X-Amzn-RequestId'];
  const paths = [
    `/v1/pets?${key}`,
    `/v1/pets?status=${encoded}`,
    `/v1/pets?cursor=${base64(key)}`,
    `/v1/pets/${key}`,
    `/v1/pets/${encoded}`,
    `/v1/pets/${key}/%`,
    `/${key}/pets`,
    `http://${key}@pets.example/v1/pets`,
  ];
  const bella = '{"name":"Bella","categoryId":1}';
  const bodies = [key, `{"name":"${key}`, `{"name":"Bella","categoryId":"${key}"}`, `{"${key}":"${key}"}`];
  const scan = [
    'X-Amz-Target: DynamoDB_20120810.Scan',
    'Authorization: AWS4-HMAC-SHA256 Credential=operator/',
  ];

  return {
    toApi: [
      ...[`Authorization: Bearer ${key}`, 'Authorization: none'].flatMap((authorization) => [
        ...headers.map((name) => request('GET /v1/pets', [authorization, `${name}: ${key}`])),
        request('GET /v1/pets', [authorization, `${key}: 1`]),
        ...paths.map((path) => request(`GET ${path}`, [authorization])),
        ...bodies.map((body) => request('POST /v1/pets', [authorization], body)),
        request('POST /v1/pets', [authorization, `Idempotency-Key: "${key}`], bella),
        request('POST /v1/pets', [authorization, `Content-Type: ${key}`], bella),
      ]),
      ...authorizations.map((value) => request('GET /v1/pets', [`Authorization: ${value}`])),
    ],
    others: [
      request('POST /_aws/', [], `Action=DescribeStacks&StackName=${key}`),
      request('POST /_aws/', [`X-Amz-Target: ${key}`]),
      request('POST /_aws/', scan, `{"TableName":"${key}"}`),
      `${key} /v1/pets HTTP/1.1\r\n\r\n`,
      `GET /v1/pets HTTP/1.1\r\n${key}\r\n\r\n`,
      `GET /v1/pets HTTP/1.1\r\nX-Api-Key: ${key.repeat(320)}\r\n\r\n`,
    ],
  };
}

/** Sends a key in every place, and expects a line of each request to the API to be printed, and none with the key. */
export async function expectNoKeyPrinted(port: number, key: string, printed: () => string): Promise<void> {
  const { toApi, others } = requestsWith(key);
  for (const bytes of others) await sendBytes(port, bytes);
  const requestIds: string[] = [];
  for (const bytes of toApi) {
    const { headers } = await sendBytes(port, bytes);
    requestIds.push(String(headers.get('x-amzn-requestid')));
  }

  const lines = await vi.waitFor(() => {
    const text = printed();
    expect(requestIds.filter((id) => !text.includes(id))).toStrictEqual([]);
    return text.split('\n');
  });
  const secrets = [key.slice(-38), base64(key), base64(`acme:${key}`)];
  expect(lines.filter((line) => secrets.some((secret) => line.includes(secret)))).toStrictEqual([]);
}
