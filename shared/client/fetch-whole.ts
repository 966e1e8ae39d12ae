import type { Options } from 'ky';

type Fetch = NonNullable<Options['fetch']>;

/**
 * Reads the whole response, so that an attempt whose connection is lost midway is retried as well. ky knows a
 * lost connection by the messages of some runtimes only, so it always gets the one of Node.
 */
export async function fetchWhole(fetch: Fetch, ...[request, init]: Parameters<Fetch>): Promise<Response> {
  try {
    const response = await fetch(request, init);
    return response.body ? new Response(await response.arrayBuffer(), response) : response;
  } catch (error) {
    // The caller gave up, or the attempt ran out of time.
    if (request instanceof Request && request.signal.aborted) throw error;
    throw new TypeError('fetch failed', { cause: error });
  }
}
