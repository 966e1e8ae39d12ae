import type { HttpRequest } from './read-request.ts';

/** A host name that only this machine can reach, and the port if there is one. */
const loopbackHost = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/;

/**
 * Returns whether a request may come from another origin's page, which must not read or write anything on
 * this machine. Either `Host` is the page's own name, which resolves to this machine (DNS rebinding), or the
 * browser sends the page's origin. Links to the reference may be followed from anywhere. `Host` may have any
 * port, such as a tunnel's.
 */
export function isForeign({ method, headers }: Pick<HttpRequest, 'method' | 'headers'>): boolean {
  const { host: hosts = [], origin: origins = [] } = headers;
  if (!hosts.every((host) => loopbackHost.test(host))) return true;
  if (!origins.every((origin) => hosts.some((host) => origin === `http://${host}`))) return true;

  const isFromPage = headers['sec-fetch-site']?.some((site) => site === 'cross-site' || site === 'same-site');
  const isFollowedLink = method === 'GET' && headers['sec-fetch-dest']?.[0] === 'document';
  return isFromPage === true && !isFollowedLink;
}
