import { HTTPError, type Options } from 'ky';

/** Tells how long each failed call waits, in milliseconds, before it is tried again; none is once `signal` is aborted. */
export function retriesTold(signal: AbortSignal, onWait: (milliseconds: number) => void): Options {
  const told = (milliseconds: number) => {
    onWait(milliseconds);
    return milliseconds;
  };
  return {
    retry: {
      shouldRetry: ({ error }) => {
        if (signal.aborted) return false;
        const retryAfter = error instanceof HTTPError ? Number(error.response.headers.get('Retry-After')) : 0;
        if (retryAfter > 0) told(retryAfter * 1000);
        return undefined;
      },
      jitter: (delay) => told(Math.random() * delay),
    },
  };
}

/** Retries where there is an API, and fails at once where nothing responds. */
export function retriesWhereThereIsAnApi(signal?: AbortSignal): Options {
  return {
    retry: {
      shouldRetry: ({ error }) => (error instanceof HTTPError && !signal?.aborted ? undefined : false),
    },
  };
}
