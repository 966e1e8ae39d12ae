import type { CallOptions, ClientOptions } from './client-options.ts';

// No message quotes an option, which may be a secret.

/** A timer that is set to more milliseconds, which are 24 days, ends at once. */
const maxTimeout = 2 ** 31 - 1;

/**
 * Returns the base address without a slash at its end.
 *
 * @throws {TypeError} that names an option with an impossible value
 */
export function checkedBaseUrl({ baseUrl, apiKey, application, onEvent, fetch }: ClientOptions): string {
  if (!('rawJSON' in JSON)) {
    // It would round integers past 2^53.
    throw new TypeError('PetStoreClient needs JSON.rawJSON: use Node 22, or another runtime that has it.');
  }
  if (typeof apiKey !== 'string' || !/^[!-~]+$/.test(apiKey)) {
    throw new TypeError('apiKey must be a text of visible ASCII characters.');
  }
  if (application !== undefined && !/^[ -~]+$/.test(application)) {
    throw new TypeError('application must be a text of ASCII characters, such as storefront/2.1.');
  }
  for (const [name, callback] of Object.entries({ onEvent, fetch })) {
    if (!['undefined', 'function'].includes(typeof callback))
      throw new TypeError(`${name} must be a function.`);
  }
  const { href = '' } = URL.parse(baseUrl) ?? {};
  if (/^https?:[^?#@]+\/v1\/?$/.test(href)) return href.replace(/\/$/, '');
  throw new TypeError('baseUrl must be an http or https URL ending in /v1, without a password or a query.');
}

/** What holds for one call. */
export interface CallSettings {
  readonly timeout: number;
  readonly retries: number;
  readonly headers: Headers;
  readonly signal: AbortSignal;
}

/**
 * Returns what holds for a call: its own options come before those of the client, whose signal counts, too.
 *
 * @throws {TypeError} that names an option with an impossible value
 */
export function checkedCall(client: CallOptions, call: CallOptions = {}): CallSettings {
  // Such as listPets('sold'), which would list all pets.
  if (typeof call !== 'object') throw new TypeError('Options must be an object, such as { timeout: 5000 }.');
  const { timeout = client.timeout ?? 120_000, retries = client.retries ?? 10 } = call;
  if (!Number.isInteger(timeout) || timeout < 1 || timeout > maxTimeout) {
    throw new TypeError(`timeout must be an integer of milliseconds from 1 to ${maxTimeout}.`);
  }
  if (!Number.isInteger(retries) || retries < 0) throw new TypeError('retries must be an integer from 0.');
  const signals = [client.signal, call.signal].filter((signal) => signal !== undefined);
  if (!signals.every((signal) => signal instanceof AbortSignal)) {
    throw new TypeError('signal must be an AbortSignal.');
  }
  const headers = checkedHeaders(client.headers);
  for (const [name, value] of checkedHeaders(call.headers)) headers.set(name, value);
  return { timeout, retries, headers, signal: AbortSignal.any(signals) };
}

function checkedHeaders(headers: CallOptions['headers']): Headers {
  try {
    return new Headers(headers);
  } catch {
    throw new TypeError('headers must be an object of texts that HTTP allows as names and values.');
  }
}
