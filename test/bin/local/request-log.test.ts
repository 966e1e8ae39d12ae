import { expect, it } from 'vitest';
import { requestLogLine } from '../../../bin/local/request-log.ts';
import { generateApiKey } from '../../../shared/contract/api-key.ts';

const record = { requestId: 'id', method: 'GET', status: 404, milliseconds: 3, accessLogLine: '' };
const lineOf = (url: string, code?: string) => requestLogLine({ ...record, url, code });

it('a line of the request log escapes control characters of the path', () => {
  expect(lineOf('/v1/\u001b[2J\u009b1A')).toBe('GET /v1/\\u001b[2J\\u009b1A 404 3 ms id');
});

it('a line of the request log hides a key', () => {
  expect(lineOf(`/v1/%1b%0a${generateApiKey('staging')}`)).toBe(
    'GET /v1/%1B%0Apetstore_staging_… 404 3 ms id',
  );
});

it('a line of the request log hides a cursor', () => {
  expect(lineOf('/v1/pets?cursor=cGV0&limit=2')).toBe('GET /v1/pets?cursor=…&limit=2 404 3 ms id');
});

it('a line of the request log has the code of an error', () => {
  expect(lineOf('/v1/pets/7', 'not_found')).toBe('GET /v1/pets/7 404 not_found 3 ms id');
});
