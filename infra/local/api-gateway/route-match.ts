import type { HttpRequest } from '../http/http.ts';
import type { Deployment, Route } from '../template/deployment.ts';

/** The method that a request is for. */
export interface RouteMatch {
  readonly route: Route;
  /** Below the stage. */
  readonly path: string;
  /** Decoded. */
  readonly pathParameters: Readonly<Record<string, string>>;
}

/** Finds the method that a request is for; undefined when the API has none. A literal segment goes before a parameter. */
export function matchRoute(
  { stageName, routes }: Pick<Deployment, 'stageName' | 'routes'>,
  { method, path }: Pick<HttpRequest, 'method' | 'path'>,
): RouteMatch | undefined {
  // API Gateway takes a path with a slash at its end for the same path without.
  const [, stage, ...segments] = path.replace(/(?<=.)\/$/, '').split('/');
  if (stage !== stageName) return undefined;

  const matches = routes
    .filter((route) => route.method === method)
    .map((route) => ({
      route,
      pathParameters: matchSegments(route.resourcePath.split('/').slice(1), segments),
    }))
    .filter((match): match is Omit<RouteMatch, 'path'> => match.pathParameters !== undefined)
    .sort((a, b) => Object.keys(a.pathParameters).length - Object.keys(b.pathParameters).length);
  return matches[0] && { ...matches[0], path: `/${segments.join('/')}` };
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

/** What can't be decoded stays as it is. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
