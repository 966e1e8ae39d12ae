import querystring from 'node:querystring';
import type { HttpRequest } from '../http/http.ts';
import type { Deployment, Route } from '../template/deployment.ts';

export interface RouteMatch {
  readonly route: Route;
  /** Below the stage, without a trailing slash. */
  readonly path: string;
  /** Decoded. */
  readonly pathParameters: Readonly<Record<string, string>>;
}

/**
 * Returns the method that a request is for, if the API has one. Literal segments take precedence over
 * parameters, and a specific method over `ANY`.
 */
export function matchRoute(
  { stageName, routes }: Pick<Deployment, 'stageName' | 'routes'>,
  request: Pick<HttpRequest, 'method' | 'path'>,
): RouteMatch | undefined {
  if (request.path.split('/', 2)[1] !== stageName) return undefined;
  // API Gateway ignores a trailing slash: https://github.com/aws/aws-sam-cli/pull/1495
  const path = request.path.slice(stageName.length + 1).replace(/\/$/, '');

  const [match] = routes
    .filter(({ method }) => method === request.method || method === 'ANY')
    .flatMap((route) => {
      const pathParameters = parametersOf(path, route.resourcePath);
      return pathParameters ? [{ route, path, pathParameters }] : [];
    })
    .sort((a, b) => rankOf(a) - rankOf(b));
  return match;
}

const rankOf = ({ route, pathParameters }: RouteMatch) =>
  2 * Object.keys(pathParameters).length + Number(route.method === 'ANY');

/** Returns the parameters of a path; undefined if it is not the path of the resource. */
function parametersOf(path: string, resourcePath: string): Record<string, string> | undefined {
  const pattern = RegExp.escape(resourcePath).replaceAll(/\\\{(\w+)\\\}/g, '(?<$1>[^/]+)');
  const match = new RegExp(`^${pattern}$`).exec(path);
  if (!match) return undefined;
  const parameters = Object.entries({ ...match.groups });
  return Object.fromEntries(parameters.map(([name, value]) => [name, querystring.unescape(value)]));
}
