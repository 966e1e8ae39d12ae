import { PetStoreError } from './client-error.ts';

/** The most bytes of a response that are read, after decompression: 100 items of 16 KiB are fewer. */
export const maxResponseBytes = 2 * 1024 * 1024;

/** When to give up a request. */
interface Limits {
  readonly milliseconds: number;
  readonly signal: AbortSignal;
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

interface FetchOptions extends Limits {
  readonly withoutKey: (text: string) => string;
  /** How an earlier attempt failed, unless it was in the same way. */
  readonly cause: PetStoreError | undefined;
}

/**
 * Sends a request and reads the whole response, so that one that is cut off midway is repeated as well. Returns an
 * error if no whole response comes in time.
 */
export async function fetchWhole(
  fetch: (request: Request) => Promise<Response>,
  url: string,
  init: RequestInit,
  { milliseconds, signal, withoutKey, cause }: FetchOptions,
): Promise<WholeResponse | PetStoreError> {
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(), milliseconds);
  try {
    const either = AbortSignal.any([end.signal, signal]);
    const response = await fetch(new Request(url, { ...init, signal: either }));
    const headers = new Headers([...response.headers].map(([name, value]) => [name, withoutKey(value)]));
    return { url, status: response.status, headers, text: await textOf(response) };
  } catch (error) {
    if (signal.aborted) return abortedError(url, signal);
    if (end.signal.aborted) {
      const before = cause ? `, and failed with ${cause.code} before` : '';
      const message = `The API did not respond in time${before}.`;
      return new PetStoreError('timeout', message, { url, cause });
    }
    const reason = new Error(withoutKey(messagesOf(error).join(': ')));
    return new PetStoreError('unreachable', 'No whole response came from the API.', { url, cause: reason });
  } finally {
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
async function textOf({ body }: Response): Promise<string | undefined> {
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
