import { printableLine } from '../text/printable.ts';

/** The supported `$context` variables of an access log, besides those of the authorizer's context. */
const supported = [
  ...['requestId', 'extendedRequestId', 'requestTime', 'identity.sourceIp', 'httpMethod', 'resourcePath'],
  ...['status', 'responseLatency', 'integrationLatency', 'integrationStatus', 'error.responseType'],
  ...['tlsVersion', 'wafResponseCode'],
];

const variablePattern = /\$context\.([A-Za-z.]+)/g;

/** The values of `$context` variables for one request. */
export type AccessLogValues = Readonly<Record<string, string>>;

/**
 * Returns a function that writes a request's line of the access log in a format, with `-` for missing values.
 *
 * @throws {Error} naming a variable of the format that is not supported
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

/** Escapes text within JSON. `printableLine` escapes the control characters that JSON leaves as they are. */
const escapeJson = (text: string) => printableLine(JSON.stringify(text).slice(1, -1));
