import type { HttpRequest } from '../http/http.ts';
import type { Deployment, Route } from '../template/deployment.ts';

/** The method that a request is for. */
export interface RouteMatch {
  readonly route: Route;
  /** Below the stage, without a slash at its end. */
  readonly path: string;
  /** Decoded. */
  readonly pathParameters: Readonly<Record<string, string>>;
}

/**
 * Finds the method that a request is for; undefined if the API has none. Literal segments take precedence over
 * parameters, and a specific method over `ANY`.
 */
export function matchRoute(
  { stageName, routes }: Pick<Deployment, 'stageName' | 'routes'>,
  { method, path }: Pick<HttpRequest, 'method' | 'path'>,
): RouteMatch | undefined {
  // API Gateway ignores a slash at the end when it looks for a resource: https://github.com/aws/aws-sam-cli/pull/1495
  const [, stage, ...segments] = path.replace(/(?<=.)\/$/, '').split('/');
  if (stage !== stageName) return undefined;

  const [match] = routes
    .filter((route) => route.method === method || route.method === 'ANY')
    .flatMap((route) => {
      const pathParameters = matchSegments(route.resourcePath.split('/').slice(1), segments);
      if (!pathParameters) return [];
      const rank = 2 * Object.keys(pathParameters).length + Number(route.method === 'ANY');
      return [{ route, pathParameters, rank }];
    })
    .sort((a, b) => a.rank - b.rank);
  return (
    match && { route: match.route, pathParameters: match.pathParameters, path: `/${segments.join('/')}` }
  );
}

function matchSegments(
  pattern: readonly string[],
  segments: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? '';
    const parameter = /^\{(\w+)\}$/.exec(expected)?.[1];
    if (parameter === undefined ? segment !== expected : segment === '') return undefined;
    if (parameter !== undefined) parameters[parameter] = decode(segment);
  }
  return parameters;
}

/** A malformed segment stays as it is. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
