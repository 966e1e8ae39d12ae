/**
 * Returns the proxies that the environment names, in capital or small letters, or undefined if it names none.
 * They are not for addresses of this machine, which they cannot reach.
 *
 * @throws {Error} that does not quote an address, which may have a password
 */
export function proxyEnvironment() {
  const HTTP_PROXY = variable('HTTP_PROXY');
  const HTTPS_PROXY = variable('HTTPS_PROXY');
  if (HTTP_PROXY === '' && HTTPS_PROXY === '') return undefined;
  for (const [name, address] of Object.entries({ HTTP_PROXY, HTTPS_PROXY })) {
    // Node ignores any other.
    if (!/^(https?:\/\/|$)/i.test(address)) throw new Error(`${name} must be an http or https URL.`);
  }
  const exceptions = variable('NO_PROXY');
  const NO_PROXY = exceptions === '*' ? '*' : `${exceptions},127.0.0.1,localhost,[::1]`;
  return { HTTP_PROXY, HTTPS_PROXY, NO_PROXY };
}

/**
 * Sends the requests of this process through the environment's proxies, if there are any.
 * https://nodejs.org/api/http.html#built-in-proxy-support
 */
export function useProxies(): void {
  const proxies = proxyEnvironment();
  // An import loads the whole of fetch with it, as it reads each export.
  if (proxies) process.getBuiltinModule('node:http').setGlobalProxyFromEnv(proxies);
}

/** Returns what an AWS client needs to use the proxies: it has agents of its own. */
export function awsProxyConfig() {
  const proxyEnv = proxyEnvironment();
  if (!proxyEnv) return {};
  const agent = { keepAlive: true, proxyEnv };
  return { requestHandler: { httpAgent: agent, httpsAgent: agent } };
}

/** As in other tools, the small letters come first. */
const variable = (name: string) => process.env[name.toLowerCase()] ?? process.env[name] ?? '';
