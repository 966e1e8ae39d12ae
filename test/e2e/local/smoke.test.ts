import { expect, it, vi } from 'vitest';
import { setup } from '../../support/setup/base-url.ts';

it('npm run smoke starts no local API in place of a stage', async () => {
  vi.stubEnv('SMOKE', '1');
  vi.stubEnv('BASE_URL', '');

  const message = 'npm run smoke tests a deployed stage: set BASE_URL and API_KEY.';
  await expect(setup({ provide: vi.fn() })).rejects.toThrow(message);
});
