import { printableLine } from '../text/printable.ts';

/** The `$context` variables of an access log that the local API knows; those of the authorizer's context besides. */
const variables = [
  'requestId',
  'extendedRequestId',
  'requestTime',
  'identity.sourceIp',
  'httpMethod',
  'resourcePath',
  'status',
  'responseLatency',
  'integrationLatency',
  'integrationStatus',
  'error.responseType',
  'authorizer.error',
  'tlsVersion',
  'wafResponseCode',
] as const;

const variablePattern = /\$context\.([A-Za-z.]+)/g;

/** The values of `$context` variables for one request; what is missing is logged as `-`. */
export type AccessLogValues = Readonly<
  Partial<Record<(typeof variables)[number] | `authorizer.${string}`, string>>
>;

/**
 * Makes the function that writes the access log's line of a request in the format of a stage.
 *
 * @throws {Error} naming a variable of the format that the local API does not know
 */
export function accessLogLine(format: string): (values: AccessLogValues) => string {
  const known: readonly string[] = variables;
  for (const [variable, name = ''] of format.matchAll(variablePattern)) {
    if (!known.includes(name) && !name.startsWith('authorizer.')) {
      throw new Error(`The local API does not know the access log variable ${variable}.`);
    }
  }
  return (values) =>
    format.replaceAll(variablePattern, (_variable, name: keyof AccessLogValues) =>
      escapeJson(values[name] ?? '-'),
    );
}

/** In JSON text a control character is written just as `printableLine` writes those that JSON itself leaves as they are. */
const escapeJson = (text: string) => printableLine(JSON.stringify(text).slice(1, -1));
