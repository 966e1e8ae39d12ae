import type { HttpRequest } from '../http/read-request.ts';

export type Values = Record<string, string[]>;

type Pair = readonly [name: string, value: string];

/**
 * Headers that API Gateway replaces or drops, in requests and in the responses of functions.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html
 */
const notForFunctions =
  /^(connection|content-md5|expect|max-forwards|proxy-authenticate|server|te|trailer|transfer-encoding|upgrade|www-authenticate|x-amzn-trace-id|x-forwarded-(for|port|proto)|x-http-method-override)$/i;
const inResponses = {
  remapped: /^(authorization|connection|content-md5|date|max-forwards|server|user-agent|www-authenticate)$/i,
  dropped: /^(expect|host|proxy-authenticate|te|trailer|transfer-encoding|upgrade|via)$/i,
};

/** Returns the headers that a function gets: the client's, under the names it sent, and API Gateway's own. */
export function requestHeaders({ headers, rawHeaders, sourceIp, port }: HttpRequest): Values {
  return valuesOf(
    [
      ...rawHeaders.filter(([name]) => !notForFunctions.test(name)),
      ['X-Forwarded-For', [...(headers['x-forwarded-for'] ?? []), sourceIp].join(', ')],
      ['X-Forwarded-Port', `${port}`],
      ['X-Forwarded-Proto', 'http'],
    ],
    (name) => name.toLowerCase(),
  );
}

/**
 * Returns the headers that a client gets. `headers` and `multiValueHeaders` are merged case-insensitively,
 * and a value in both is sent once. Without a content type, it is JSON.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html
 */
export function responseHeaders(
  headers: Readonly<Record<string, string | number | boolean>>,
  multiValueHeaders: Readonly<Record<string, readonly string[]>>,
): Values {
  const lists = Object.entries(multiValueHeaders);
  const pairs = [
    ...Object.entries(headers).map(([name, value]): Pair => [name, String(value)]),
    ...lists.flatMap(([name, values]) => values.map((value): Pair => [name, value])),
  ].filter(([name]) => !inResponses.dropped.test(name));
  const hasType = pairs.some(([name]) => name.toLowerCase() === 'content-type');
  if (!hasType) pairs.push(['Content-Type', 'application/json']);
  return Object.fromEntries(
    Object.entries(valuesOf(pairs, (name) => name.toLowerCase())).map(([name, values]) => [
      inResponses.remapped.test(name) ? `x-amzn-Remapped-${name}` : name,
      [...new Set(values)],
    ]),
  );
}

/** Groups values by name; names with the same key take the first spelling. */
export function valuesOf(pairs: Iterable<Pair>, keyOf = (name: string) => name): Values {
  const groups = [...Map.groupBy(pairs, ([name]) => keyOf(name)).values()];
  return Object.fromEntries(groups.map((group) => [group[0]?.[0] ?? '', group.map(([, value]) => value)]));
}
