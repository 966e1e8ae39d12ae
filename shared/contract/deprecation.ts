/** When an operation goes away, and what for. Both instants are ISO 8601. */
export interface Deprecation {
  readonly since: string;
  readonly sunset: string;
  /** The path, below the base address, of what replaces it. */
  readonly successor: `/${string}`;
}

/** The deprecation of getPet. It has a file of its own, because the function needs it and none of the operations table. */
export const getPetDeprecation = {
  since: '2026-11-20T00:00:00Z',
  sunset: '2030-12-05T00:00:00Z',
  successor: '/pets',
} as const satisfies Deprecation;

/** The headers that announce a deprecation (RFC 9745, RFC 8594); `successorUrl` is the absolute URL of the successor. */
export const deprecationHeaders = ({ since, sunset }: Deprecation, successorUrl: string) => ({
  Deprecation: `@${Date.parse(since) / 1000}`,
  Sunset: new Date(sunset).toUTCString(),
  Link: `<${successorUrl}>; rel="successor-version"`,
});
