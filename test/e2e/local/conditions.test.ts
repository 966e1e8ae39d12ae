import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { PetStoreClient } from '../../../shared/client/pet-store-client.ts';
import { apiClient } from '../../support/e2e/api-client.ts';
import { expectError } from '../../support/e2e/expect-error.ts';
import { CommandProcess } from '../../support/local/command-process.ts';

const { assembly } = inject('localApi');
const conditions = ['--index-lag', '2s', '--throttle', '30%'];

describe.concurrent('npm start -- --index-lag 2s --throttle 30%', { timeout: 120_000 }, () => {
  const flags = ['--assembly', assembly, '--port', '0', '--pets', '0', '--json', ...conditions];
  const local = new CommandProcess('bin/local.ts', flags);
  let api: { readonly baseUrl: string; readonly apiKey: string };
  let client: PetStoreClient;

  beforeAll(async () => {
    const [ready] = await local.printed('stdout', /^.*\n/);
    api = JSON.parse(ready);
    client = new PetStoreClient(api);
  }, 120_000);
  afterAll(async () => {
    // It exits cleanly, as on Ctrl-C.
    expect(await local.exit('SIGINT')).toMatchObject({ exitCode: 0 });
  });

  it('lists a pet by its status only after the lag', async () => {
    const createdAfter = performance.now();
    const { pet } = await client.createPet({ name: 'Late', categoryId: 1n, status: 'sold' });

    await vi.waitFor(
      async () => expect(await Array.fromAsync(client.listPets({ status: 'sold' }))).toStrictEqual([[pet]]),
      { timeout: 60_000 },
    );

    expect(performance.now() - createdAfter).toBeGreaterThan(2000);
  });

  it('responds with 503 and Retry-After', async () => {
    const throttled = await vi.waitFor(
      async () => {
        const response = await apiClient(api)('GET', '/pets');
        expect(response.status).toBe(503);
        return response;
      },
      { timeout: 60_000 },
    );

    expect(throttled.headers['retry-after']).toMatch(/^\d+$/);
    expectError(throttled, 503, 'service_unavailable');
  });
});
