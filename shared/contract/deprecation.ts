/** An operation's deprecation and removal instants, in ISO 8601, and its replacement. */
export interface Deprecation {
  readonly since: string;
  readonly sunset: string;
  /** The path of its replacement, below the base address. */
  readonly successor: `/${string}`;
}

/** The deprecation of getPet, in its own file because the function needs it without the operations table. */
export const getPetDeprecation = {
  since: '2026-11-20T00:00:00Z',
  sunset: '2030-12-05T00:00:00Z',
  successor: '/pets',
} as const satisfies Deprecation;

/** Returns the headers that announce a deprecation (RFC 9745, RFC 8594); `successorUrl` is absolute. */
export const deprecationHeaders = ({ since, sunset }: Deprecation, successorUrl: string) => ({
  Deprecation: `@${Date.parse(since) / 1000}`,
  Sunset: new Date(sunset).toUTCString(),
  Link: `<${successorUrl}>; rel="successor-version"`,
});
