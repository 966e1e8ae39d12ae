import { expect, it } from 'vitest';
import { generateApiKey } from '../../../shared/keys/api-key.ts';
import { requestLogLine } from '../request-log.ts';

const record = { requestId: 'id', method: 'GET', status: 404, milliseconds: 3, warning: undefined };

it.each<[title: string, url: string, expected: string, code?: string]>([
  ['escapes control characters in the path', '/v1/\u001b[2J\u009b1A', '/v1/\\u001b[2J\\u009b1A 404'],
  ['hides a key', `/v1/%1b%0a${generateApiKey('petstore_staging_')}`, '/v1/%1b%0apetstore_staging_… 404'],
  ['hides a cursor', '/v1/pets?cursor=cGV0&limit=2', '/v1/pets?cursor=…&limit=2 404'],
  ['has the error code', '/v1/pets/7', '/v1/pets/7 404 not_found', 'not_found'],
])('a request log line %s', (_title, url, expected, code) => {
  expect(requestLogLine({ ...record, url, code })).toBe(`GET ${expected} 3 ms id`);
});

it('a request log line ends with a warning', () => {
  const line = requestLogLine({ ...record, url: '/v1/pets', code: undefined, warning: 'a chunked body' });

  expect(line).toBe('GET /v1/pets 404 3 ms id (a chunked body)');
});
