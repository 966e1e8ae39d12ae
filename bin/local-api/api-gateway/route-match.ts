import querystring from 'node:querystring';
import type { HttpRequest } from '../http/read-request.ts';
import type { Deployment, Route } from '../template/deployment.ts';

export interface RouteMatch {
  readonly route: Route;
  /** Below the stage, without a trailing slash. */
  readonly path: string;
  /** Decoded. */
  readonly pathParameters: Readonly<Record<string, string>>;
}

/**
 * The methods that `ANY` covers; API Gateway has no others.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-method-settings-method-request.html
 */
const methods: readonly string[] = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];

/**
 * Returns the method that a request is for, if the API has one. From the left, literal segments take
 * precedence over parameters, these over a greedy parameter such as `{proxy+}`, and a specific method over `ANY`.
 */
export function matchRoute(
  { stageName, routes }: Pick<Deployment, 'stageName' | 'routes'>,
  request: Pick<HttpRequest, 'method' | 'path'>,
): RouteMatch | undefined {
  if (!methods.includes(request.method)) return undefined;
  if (request.path.split('/', 2)[1] !== stageName) return undefined;
  // API Gateway ignores a trailing slash: https://github.com/aws/aws-sam-cli/pull/1495
  const path = request.path.slice(stageName.length + 1).replace(/\/$/, '');

  const [match] = routes
    .filter(({ method }) => method === request.method || method === 'ANY')
    .flatMap((route) => {
      const pathParameters = parametersOf(path, route.resourcePath);
      return pathParameters ? [{ route, path, pathParameters }] : [];
    })
    .sort((a, b) => (rankOf(a.route) < rankOf(b.route) ? -1 : 1));
  return match;
}

const isGreedy = (resourcePath: string) => resourcePath.endsWith('+}');

/** Compares as text what each segment is, from the left, and at last whether the method is specific. */
const rankOf = ({ method, resourcePath }: Route): string =>
  [...resourcePath.split('/').map(rankOfSegment), Number(method === 'ANY')].join('');

function rankOfSegment(segment: string): number {
  if (!segment.startsWith('{')) return 0;
  return isGreedy(segment) ? 2 : 1;
}

/** Returns the parameters of a path; undefined if it is not the path of the resource. */
function parametersOf(path: string, resourcePath: string): Record<string, string> | undefined {
  const parts = resourcePath.split('/');
  const segments = path.split('/');
  // The last part of a greedy path takes the rest.
  if (isGreedy(resourcePath)) segments.push(segments.splice(parts.length - 1).join('/'));
  if (segments.length !== parts.length) return undefined;
  const parameters: [name: string, value: string][] = [];
  for (const [index, part] of parts.entries()) {
    const segment = segments[index] ?? '';
    const [, name] = /^\{([^{}+]+)\+?\}$/.exec(part) ?? [];
    if (name === undefined ? segment !== part : segment === '') return undefined;
    if (name !== undefined) parameters.push([name, querystring.unescape(segment)]);
  }
  return Object.fromEntries(parameters);
}
