/** An operation's deprecation and removal instants, in ISO 8601, and its replacement, if there is one. */
export interface Deprecation {
  readonly since: string;
  readonly sunset: string;
  /** The path of its replacement, below the base address, with no path parameters but the operation's own. */
  readonly successor?: `/${string}`;
}

/** The deprecation of getPet, in its own file because the function needs it without the operations table. */
export const getPetDeprecation = {
  since: '2026-11-20T00:00:00Z',
  sunset: '2030-12-05T00:00:00Z',
  successor: '/pets',
} as const satisfies Deprecation;

/** Returns the headers that announce a deprecation (RFC 9745, RFC 8594). */
export const deprecationHeaders = ({ since, sunset }: Deprecation) => ({
  Deprecation: `@${Date.parse(since) / 1000}`,
  Sunset: new Date(sunset).toUTCString(),
});

/**
 * Returns the link to what replaces an operation (RFC 5829).
 *
 * @param successor - its absolute URL, with path parameters in braces
 * @param parameters - the path parameters of the request
 */
export function successorLink(successor: string, parameters: Readonly<Record<string, unknown>>): string {
  const url = successor.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(`${parameters[name]}`));
  return `<${url}>; rel="successor-version"`;
}
