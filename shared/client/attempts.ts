import { type AfterResponseHook, HTTPError, NetworkError, type RetryOptions } from 'ky';
import { errorOf, type PetStoreError } from './pet-store-error.ts';

/** The number of attempts in a row without a connection after which nothing seems to listen. */
const maxLostConnections = 5;

/** Returns the longest random wait before a retry, in milliseconds; `retry` starts at 1. */
const backoff = (retry: number) => Math.min(10_000, 300 * 2 ** (retry - 1));

/** What the failed attempts of one call tell about the next. */
export class Attempts {
  /** The error of the last response that was not successful. */
  failure: PetStoreError | undefined;
  /** Whether an attempt that failed may have had its effect. */
  isUncertain = false;
  /** Milliseconds until the next attempt. */
  wait = 0;
  #lostConnections = 0;
  readonly #url: string;
  readonly #deadline: number;

  /** `deadline` is an instant of `performance.now()`. */
  constructor(url: string, deadline: number) {
    this.#url = url;
    this.#deadline = deadline;
  }

  readonly afterResponse: AfterResponseHook = async ({ response }) => {
    if (response.ok) return;
    this.failure = await errorOf(response, this.#url);
    // The wait would end at the deadline, with a timeout.
    if (performance.now() + 1000 * (this.failure.retryAfter ?? 0) > this.#deadline) throw this.failure;
  };

  readonly shouldRetry: NonNullable<RetryOptions['shouldRetry']> = ({ error, retryCount }) => {
    const isResponse = error instanceof HTTPError;
    this.#lostConnections = error instanceof NetworkError ? this.#lostConnections + 1 : 0;
    this.isUncertain ||= !(isResponse && error.response.status < 500);
    const retryAfter = isResponse ? (this.failure?.retryAfter ?? 0) : 0;
    // Random beyond Retry-After, too: clients that were rejected together do not return together.
    this.wait = 1000 * retryAfter + Math.random() * backoff(retryCount);
    return this.#lostConnections < maxLostConnections ? undefined : false;
  };
}
