/** How to reach the API. */
export interface ClientOptions {
  /** An absolute http or https URL, or in a browser also a path such as `/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** In milliseconds: timers take at most a 32-bit integer. */
const maxTimeout = 2 ** 31 - 1;

/** Only a page has an address that a path belongs to. */
const page = globalThis as { readonly location?: { readonly href: string } };

/**
 * Returns the base address as an absolute URL with a trailing slash.
 *
 * @throws {TypeError} that does not quote the URL, which may have a password
 */
export function absoluteBaseUrl(baseUrl: string): string {
  const isPath = typeof baseUrl === 'string' && baseUrl.startsWith('/');
  const url = URL.parse(baseUrl, isPath ? page.location?.href : undefined);
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (!isHttp || `${url.username}${url.password}${url.search}${url.hash}` !== '') {
    throw new TypeError('baseUrl must be an absolute http or https URL without a password or a query.');
  }
  return url.href.endsWith('/') ? url.href : `${url.href}/`;
}

/** @throws {TypeError} that does not quote the key */
export function checkApiKey(apiKey: string): void {
  if (typeof apiKey !== 'string' || apiKey === '') throw new TypeError('apiKey must not be empty.');
  if (/[^!-~]/.test(apiKey)) throw new TypeError('apiKey must contain only visible ASCII characters.');
}

/** Checks a time limit in milliseconds; `false` stands for none. */
export function checkTimeout(name: 'timeout' | 'totalTimeout', value: number | false): void {
  if (value === false || (value > 0 && value <= maxTimeout)) return;
  throw new TypeError(`${name} must be a positive number of milliseconds, at most ${maxTimeout}.`);
}

/** JavaScript rounds integers past 2^53 without `JSON.rawJSON` and its counterpart in `JSON.parse`. */
export function checkRuntime(): void {
  if ('rawJSON' in JSON) return;
  throw new TypeError(
    'PetStoreClient needs JSON.rawJSON: use Node 22 or later, or another runtime that has it.',
  );
}
