import { printableLine } from '../text/printable.ts';

/** The supported `$context` variables of an access log, besides those of the authorizer's context. */
const supported = [
  ...['requestId', 'extendedRequestId', 'requestTime', 'identity.sourceIp', 'domainName', 'httpMethod'],
  ...['resourcePath', 'status', 'responseLatency', 'integrationLatency', 'integrationStatus'],
  ...['error.responseType', 'tlsVersion', 'wafResponseCode'],
];

const variablePattern = /\$context\.([A-Za-z.]+)/g;

export type AccessLogValues = Readonly<Record<string, string>>;

/**
 * Returns a function that formats a request's access log line, with `-` for missing values.
 *
 * @throws {Error} naming an unsupported variable in the format
 */
export function accessLogLine(format: string): (values: AccessLogValues) => string {
  for (const [variable, name = ''] of format.matchAll(variablePattern)) {
    if (!supported.includes(name) && !name.startsWith('authorizer.')) {
      throw new Error(`The local API does not support the access log variable ${variable}.`);
    }
  }
  return (values) =>
    format.replaceAll(variablePattern, (_variable, name: string) => escapeJson(values[name] ?? '-'));
}

/** Escapes text within JSON. `printableLine` escapes the control characters that JSON leaves unescaped. */
const escapeJson = (text: string) => printableLine(JSON.stringify(text).slice(1, -1));
