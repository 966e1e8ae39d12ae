import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchRoute } from '../../../../infra/local/api-gateway/route-match.ts';
import { authorizer } from '../../../support/infra/stub-deployment.ts';

const route = (method: string, resourcePath: string) => ({
  method,
  resourcePath,
  integration: { functionArn: `${method} ${resourcePath}` },
  authorizer: authorizer(),
  throttling: { rate: 1, burst: 1 },
});
const api = {
  stageName: 'v1',
  routes: [
    route('GET', '/pets/{petId}'),
    route('GET', '/pets'),
    route('POST', '/pets'),
    route('ANY', '/pets'),
    route('GET', '/pets/mine'),
    route('ANY', '/pets/mine'),
  ],
};

describe('matchRoute', () => {
  it.each([
    ['GET', '/v1/pets', '/pets', {}],
    ['GET', '/v1/pets/mine', '/pets/mine', {}],
    ['GET', '/v1/pets/a%2Fb%20c', '/pets/{petId}', { petId: 'a/b c' }],
    ['GET', '/v1/pets/%zz', '/pets/{petId}', { petId: '%zz' }],
  ])('finds %s %s', (method, path, resourcePath, pathParameters) => {
    const match = matchRoute(api, { method, path });

    expect(match).toEqual({
      route: route(method, resourcePath),
      path: path.slice('/v1'.length),
      pathParameters,
    });
  });

  it('ignores a slash at the end', () => {
    expect(matchRoute(api, { method: 'GET', path: '/v1/pets/' })).toEqual({
      route: route('GET', '/pets'),
      path: '/pets',
      pathParameters: {},
    });
  });

  it.each(['/pets', '/pets/mine'])('finds ANY for a method that %s does not have', (path) => {
    expect(matchRoute(api, { method: 'PUT', path: `/v1${path}` })?.route).toEqual(route('ANY', path));
  });

  it.each([
    ['POST', '/v1/pets/12'],
    ['GET', '/pets'],
    ['GET', '/v1//pets'],
    ['GET', '/v1/pets//'],
  ])('finds nothing for %s %s', (method, path) => {
    expect(matchRoute(api, { method, path })).toBeUndefined();
  });

  it('gives back any path parameter, decoded', () => {
    const petId = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text !== 'mine');

    fc.assert(
      fc.property(petId, (text) => {
        const match = matchRoute(api, { method: 'GET', path: `/v1/pets/${encodeURIComponent(text)}` });

        expect(match?.pathParameters).toEqual({ petId: text });
      }),
    );
  });
});
