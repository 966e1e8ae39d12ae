import fc from 'fast-check';
import { expect, it } from 'vitest';
import { matchRoute } from '../../api-gateway/route-match.ts';
import { authorizer } from '../support/stub-deployment.ts';

const routes = [
  ['GET', '/pets/{petId}'],
  ['GET', '/pets'],
  ['ANY', '/pets'],
  ['GET', '/pets/mine'],
  ['ANY', '/pets/mine'],
  ['GET', '/keepers/{keeper-id}/pet-food'],
  ['ANY', '/files/{path+}'],
  ['GET', '/files/{name}'],
  ['GET', '/teams/{team}/lead'],
  ['GET', '/teams/own/{role}'],
].map(([method = '', resourcePath = '']) => ({
  method,
  resourcePath,
  authorizer,
  operationName: undefined,
  throttling: { rate: 1, burst: 1 },
  integration: { functionArn: 'arn' },
}));
const match = (method: string, path: string) => matchRoute({ stageName: 'v1', routes }, { method, path });

it.each([
  ['GET', '/v1/pets', 'GET /pets'],
  ['GET', '/v1/pets/', 'GET /pets'],
  ['GET', '/v1/pets/mine', 'GET /pets/mine'],
  ['GET', '/v1/pets/other', 'GET /pets/{petId}'],
  ['PUT', '/v1/pets', 'ANY /pets'],
  ['PUT', '/v1/pets/mine', 'ANY /pets/mine'],
  ['PUT', '/v1/pets/12', undefined],
  ['GET', '/pets', undefined],
  ['TRACE', '/v1/pets', undefined],
  ['PROPFIND', '/v1/pets', undefined],
  ['GET', '/v1/keepers/7/pet-food', 'GET /keepers/{keeper-id}/pet-food'],
  ['GET', '/v1/keepers/7/petXfood', undefined],
  ['GET', '/v1/files/a', 'GET /files/{name}'],
  ['GET', '/v1/files/a/b', 'ANY /files/{path+}'],
  ['PUT', '/v1/files/a', 'ANY /files/{path+}'],
  ['GET', '/v1/teams/own/lead', 'GET /teams/own/{role}'],
  ['GET', '/v1/files', undefined],
  ['GET', '/v1/files/', undefined],
  ['GET', '/v1//pets', undefined],
  ['GET', '/v1/pets//', undefined],
])('matchRoute resolves %s %s: %s', (method, path, expected) => {
  const found = match(method, path);

  expect(found && `${found.route.method} ${found.route.resourcePath}`).toBe(expected);
  expect(found?.path).toBe(expected && path.replace('/v1', '').replace(/\/$/, ''));
});

it('matchRoute returns any path parameter, decoded', () => {
  const petId = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text !== 'mine');

  fc.assert(
    fc.property(petId, (text) => {
      expect(match('GET', `/v1/pets/${encodeURIComponent(text)}`)?.pathParameters).toEqual({ petId: text });
    }),
  );
});

it.each([
  ['/v1/keepers/7/pet-food', { 'keeper-id': '7' }],
  ['/v1/files/a/b%20c', { path: 'a/b c' }],
])('matchRoute returns the parameters of %s', (path, pathParameters) => {
  expect(match('GET', path)?.pathParameters).toEqual(pathParameters);
});

it('matchRoute leaves a malformed path parameter unchanged', () => {
  expect(match('GET', '/v1/pets/%zz')?.pathParameters).toEqual({ petId: '%zz' });
});
