import { errorOf, PetStoreError, requestIdOf } from './client-error.ts';

/** When to give up a request. */
interface Limits {
  readonly milliseconds: number;
  readonly signal: AbortSignal;
}

/**
 * Sends a request and reads the whole response, so that one that is cut off midway is repeated as well. Returns an
 * error if it is not successful, or does not come in time.
 *
 * @throws the signal's reason
 */
export async function fetchWhole(
  fetch: (request: Request) => Promise<Response>,
  url: string,
  init: RequestInit,
  { milliseconds, signal }: Limits,
) {
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(), milliseconds);
  try {
    const either = AbortSignal.any([end.signal, signal]);
    const response = await fetch(new Request(url, { ...init, signal: either }));
    const text = await response.text();
    if (!response.ok) return errorOf(response, text, url);
    return { response, text, status: response.status, requestId: requestIdOf(response) };
  } catch (cause) {
    signal.throwIfAborted();
    if (end.signal.aborted) return new PetStoreError('timeout', 'The API did not respond in time.', url);
    return new PetStoreError('unreachable', 'The API is unreachable.', url, undefined, cause);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits until the time is over or the signal is aborted. */
export async function pause({ milliseconds, signal }: Limits): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const timer = setTimeout(resolve, milliseconds);
  signal.addEventListener('abort', resolve);
  await promise;
  clearTimeout(timer);
}
