import type { CallOptions, ClientOptions } from './client-options.ts';

// No message quotes an option, which may be a secret.

const callOptions: Readonly<Record<keyof CallOptions, true>> = {
  timeout: true,
  retries: true,
  headers: true,
  signal: true,
};

const clientOptions: Readonly<Record<keyof ClientOptions, true>> = {
  ...callOptions,
  baseUrl: true,
  apiKey: true,
  application: true,
  onEvent: true,
  fetch: true,
};

/** A timer that is set to more milliseconds, which are 24 days, ends at once. */
const maxTimeout = 2 ** 31 - 1;

/**
 * Returns the base address without a slash at its end.
 *
 * @throws {TypeError} that names an option with an impossible value
 */
export function checkedBaseUrl(options: ClientOptions): string {
  const { baseUrl, apiKey, application, onEvent, fetch } = options;
  checkNames(options, clientOptions);
  if (!('rawJSON' in JSON)) {
    // It would round integers past 2^53.
    throw new TypeError('PetStoreClient needs JSON.rawJSON: use Node 22, or another runtime that has it.');
  }
  if (typeof apiKey !== 'function') checkedApiKey(apiKey);
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

/** @throws {TypeError} if a key cannot be sent */
export function checkedApiKey(apiKey: unknown): string {
  if (typeof apiKey === 'string' && /^[!-~]+$/.test(apiKey)) return apiKey;
  throw new TypeError('apiKey must be a text of visible ASCII characters.');
}

/**
 * Returns the value.
 *
 * @throws {TypeError} if it is a number that may have lost digits
 */
export function checkedNumber(name: string, value: unknown): unknown {
  if (typeof value !== 'number' || Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value;
  throw new TypeError(`${name} is a number past 2^53, which may have lost digits: pass a bigint.`);
}

/** What holds for one call. */
export interface CallSettings {
  readonly timeout: number;
  readonly retries: number;
  readonly headers: Headers;
  readonly signal: AbortSignal;
}

/**
 * Returns what holds for a call: its own options come before those of the client, whose signal counts, too. `others`
 * has the options that only its operation takes.
 *
 * @throws {TypeError} that names an option which does not exist, or has an impossible value
 */
export function checkedCall(client: CallOptions, call: CallOptions = {}, others: object = {}): CallSettings {
  // Such as listPets('sold'), which would list all pets.
  if (typeof call !== 'object') throw new TypeError('Options must be an object, such as { timeout: 5000 }.');
  checkNames(call, { ...callOptions, ...others });
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

/** A misspelled idempotencyKey that is not sent would let a second pet be created. */
function checkNames(options: object, known: object): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  throw new TypeError(`There is no option ${unknown}: there are ${Object.keys(known).join(', ')}.`);
}

function checkedHeaders(headers: CallOptions['headers']): Headers {
  try {
    return new Headers(headers);
  } catch {
    throw new TypeError('headers must be an object of texts that HTTP allows as names and values.');
  }
}
