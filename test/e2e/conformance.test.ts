import { expect, it } from 'vitest';
import { baseUrl, call } from '../support/e2e/api-client.ts';
import { exampleRequests } from '../support/e2e/example-requests.ts';

// The client compares each response with the description.
it.each(exampleRequests)(
  'responds to the example of $method $path',
  async ({ method, path, create, ...request }) => {
    const created = create && (await call(create.method, create.path, create));
    const location = created?.headers['location']?.slice(baseUrl.length);

    const { status } = await call(method, location ?? path, request);

    // The example need not exist, and a deprecated operation ends.
    expect([request.success, 410, ...(location === undefined ? [404] : [])]).toContain(status);
  },
);
