/** An operation's deprecation and removal instants, in ISO 8601, and its replacement, if there is one. */
export interface Deprecation {
  readonly since: string;
  readonly sunset: string;
  /** The path of its replacement, below the base address, without path parameters. */
  readonly successor?: `/${string}`;
}

/** Returns the headers that announce a deprecation (RFC 9745, RFC 8594). */
export const deprecationHeaders = ({ since, sunset }: Deprecation) => ({
  Deprecation: `@${Date.parse(since) / 1000}`,
  Sunset: new Date(sunset).toUTCString(),
});

/** Returns the link to what replaces an operation (RFC 5829), from its absolute URL. */
export const successorLink = (url: string) => `<${url}>; rel="successor-version"`;
