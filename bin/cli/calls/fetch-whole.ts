import { checkedApiKey } from './check-options.ts';
import { PetStoreError } from './client-error.ts';
import type { ClientOptions, FetchedResponse, FetchInit } from './client-options.ts';

/** The most bytes of a response that are read, after decompression: 100 items of 16 KiB are fewer. */
export const maxResponseBytes = 2 * 1024 * 1024;

/** When to give up. */
interface Limits {
  readonly milliseconds: number;
  readonly signal: AbortSignal;
}

/** What a part of a call says if its time is over. */
interface Part extends Limits {
  readonly url: string;
  /** How an earlier attempt failed, unless it was in the same way. */
  readonly cause: PetStoreError | undefined;
}

/** A response with its body. */
export interface WholeResponse {
  readonly url: string;
  readonly status: number;
  /** Without the API key, which a server may send back. */
  readonly headers: Headers;
  /** Undefined if the body is longer than what is read. */
  readonly text: string | undefined;
}

/**
 * Sends a request and reads the whole response, so that one that is cut off midway is repeated as well. Returns an
 * error if no whole response comes in time.
 */
export function fetchWhole(
  fetch: NonNullable<ClientOptions['fetch']>,
  init: Omit<FetchInit, 'signal'>,
  withoutKey: (text: string) => string,
  part: Part,
): Promise<WholeResponse | PetStoreError> {
  const { url } = part;
  return within(part, 'The API', {
    async work(signal) {
      const response = await fetch(url, { ...init, signal });
      const headers = new Headers();
      response.headers.forEach((value, name) => void headers.append(name, withoutKey(value)));
      return { url, status: response.status, headers, text: await textOf(response) };
    },
    failed(error) {
      const cause = new Error(withoutKey(messagesOf(error).join(': ')));
      return new PetStoreError('unreachable', 'No whole response came from the API.', { url, cause });
    },
  });
}

/** Returns the key for an attempt, or an error if there is none in time. */
export async function askForKey(
  apiKey: ClientOptions['apiKey'],
  part: Part,
): Promise<string | PetStoreError> {
  if (typeof apiKey === 'string') return apiKey;
  return within(part, 'apiKey', {
    work: async () => checkedApiKey(await apiKey()),
    failed: (cause) => new PetStoreError('aborted', 'apiKey returned no key.', { url: part.url, cause }),
  });
}

interface Task<T> {
  readonly work: (signal: AbortSignal) => Promise<T>;
  readonly failed: (error: unknown) => PetStoreError;
}

/** Does a part of a call, whether or not it heeds the signal. Returns an error if it fails or its time is over. */
async function within<T>(
  { url, milliseconds, signal, cause }: Part,
  who: string,
  { work, failed }: Task<T>,
): Promise<T | PetStoreError> {
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(), milliseconds);
  const either = AbortSignal.any([end.signal, signal]);
  const { promise: over, reject } = Promise.withResolvers<never>();
  either.addEventListener('abort', reject);
  try {
    return await Promise.race([work(either), over]);
  } catch (error) {
    if (signal.aborted) return abortedError(url, signal);
    if (!end.signal.aborted) return failed(error);
    const before = cause ? `, and failed with ${cause.code} before` : '';
    return new PetStoreError('timeout', `${who} did not respond in time${before}.`, { url, cause });
  } finally {
    either.removeEventListener('abort', reject);
    clearTimeout(timer);
  }
}

/** Returns what an error and its causes say: on Node, they also hold what was received, which may have the key. */
function messagesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return error === undefined ? [] : [String(error)];
  const { message, cause } = error;
  // Node says nothing of several addresses that fail, but gives a code.
  const text = message === '' && 'code' in error ? String(error.code) : message;
  return [text, ...messagesOf(cause)];
}

/** Returns the error of a call that its signal has aborted. */
export const abortedError = (url: string, { reason }: AbortSignal) =>
  new PetStoreError('aborted', 'The call was aborted.', { url, cause: reason });

/** Returns the text of a body, or undefined if it is too long. */
async function textOf({ body }: FetchedResponse): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    // To leave the loop cancels the body.
    if (bytes > maxResponseBytes) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** Waits until the time is over or the signal is aborted. */
export async function pause({ milliseconds, signal }: Limits): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const timer = setTimeout(resolve, milliseconds);
  signal.addEventListener('abort', resolve);
  await promise;
  signal.removeEventListener('abort', resolve);
  clearTimeout(timer);
}
