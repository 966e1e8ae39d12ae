/**
 * Reads the whole response, so that an attempt whose connection is lost midway is retried as well. ky knows a
 * lost connection by the messages of some runtimes only, so it always gets the one of Node.
 */
export async function fetchWhole(
  fetch: (request: Request) => Promise<Response>,
  request: Request,
): Promise<Response> {
  try {
    const response = await fetch(request);
    return response.body ? new Response(await response.arrayBuffer(), response) : response;
  } catch (error) {
    // The caller gave up, or the attempt ran out of time.
    if (request.signal.aborted) throw error;
    throw new TypeError('fetch failed', { cause: error });
  }
}
