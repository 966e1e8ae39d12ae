/**
 * What API Gateway does with the headers of a Lambda function's response.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html
 */
const remapped = [
  'authorization',
  'connection',
  'content-md5',
  'date',
  'max-forwards',
  'server',
  'user-agent',
  'www-authenticate',
];
const dropped = [
  'expect',
  'host',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
];

/**
 * Returns the headers of a response as its client gets them. `headers` and `multiValueHeaders` are merged, whatever the
 * case of their names; a value that is in both is sent once.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html
 */
export function clientHeaders(
  headers: Readonly<Record<string, string | number | boolean>>,
  multiValueHeaders: Readonly<Record<string, readonly string[]>>,
): Record<string, string[]> {
  const lists = Object.entries(headers).map(([name, value]) => [name, [String(value)]] as const);
  const byName = Map.groupBy([...lists, ...Object.entries(multiValueHeaders)], ([name]) =>
    name.toLowerCase(),
  );
  return Object.fromEntries(
    [...byName]
      .filter(([key]) => !dropped.includes(key))
      .map(([key, entries]) => {
        const [[name] = [key]] = entries;
        const values = new Set(entries.flatMap(([, list]) => list));
        return [remapped.includes(key) ? `x-amzn-Remapped-${name}` : name, [...values]];
      }),
  );
}
