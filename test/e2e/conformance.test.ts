import { expect, it } from 'vitest';
import { call } from '../support/e2e/api-client.ts';
import { exampleRequests } from '../support/e2e/example-requests.ts';

// The client compares each response with the description.
it.each(exampleRequests)('responds to the example of $method $path', async ({ method, path, ...request }) => {
  const { status } = await call(method, path, request);

  // The example need not exist, and a deprecated operation ends.
  expect([request.success, 404, 410]).toContain(status);
});
