import { setGlobalProxyFromEnv } from 'node:http';

/** Addresses of this machine, which a proxy cannot reach. */
const localHosts = ['127.0.0.1', 'localhost', '[::1]'];

type ProxyName = 'HTTP_PROXY' | 'HTTPS_PROXY' | 'NO_PROXY';

/**
 * Returns the proxies that the environment names, in capital or small letters, or undefined if it names none.
 * They are not for addresses of this machine.
 *
 * @throws {Error} that does not quote an address, which may have a password
 */
export function proxyEnvironment(): Partial<Record<ProxyName, string>> | undefined {
  const found = [proxy('HTTP_PROXY'), proxy('HTTPS_PROXY')].flat();
  const exceptions = variable('NO_PROXY') ?? '';
  if (found.length === 0 || exceptions.trim() === '*') return undefined;
  const excepted = [...exceptions.split(/[\s,]+/).filter(Boolean), ...localHosts];
  return { ...Object.fromEntries(found), NO_PROXY: excepted.join() };
}

/**
 * Sends the requests of this process through the environment's proxies, if there are any.
 * https://nodejs.org/api/http.html#built-in-proxy-support
 */
export function useProxies(): void {
  const proxies = proxyEnvironment();
  if (proxies) setGlobalProxyFromEnv(proxies);
}

/** Returns what an AWS client needs to use the proxies: it has agents of its own. */
export function awsProxyConfig() {
  const proxyEnv = proxyEnvironment();
  if (!proxyEnv) return {};
  const agent = { keepAlive: true, proxyEnv };
  return { requestHandler: { httpAgent: agent, httpsAgent: agent } };
}

function proxy(name: ProxyName): readonly [ProxyName, string][] {
  const address = variable(name);
  if (!address) return [];
  if (/^https?:$/.test(URL.parse(address)?.protocol ?? '')) return [[name, address]];
  throw new Error(`${name} must be an http or https URL.`);
}

/** As in other tools, the small letters come first. */
const variable = (name: ProxyName) => process.env[name.toLowerCase()] ?? process.env[name];
