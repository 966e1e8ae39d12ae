import { expect, inject, it } from 'vitest';
import { apiClient } from '../../support/e2e/api-client.ts';
import { expectError } from '../../support/e2e/expect-error.ts';
import { CommandProcess } from '../../support/local/command-process.ts';

it('npm start -- --throttle 50% responds to some requests with 503', { timeout: 120_000 }, async () => {
  const { assembly } = inject('localApi');
  const flags = ['--assembly', assembly, '--port', '0', '--pets', '0', '--json', '--throttle', '50%'];
  const local = new CommandProcess('bin/local.ts', flags);
  const [ready] = await local.printed('stdout', /^.*\n/);
  const call = apiClient(JSON.parse(ready));
  const responseWith = async (status: number) => {
    for (;;) {
      const response = await call('GET', '/pets');
      if (response.status === status) return response;
    }
  };

  await responseWith(200);
  const throttled = await responseWith(503);
  // It exits cleanly, as on Ctrl-C.
  const { exitCode } = await local.exit('SIGINT');

  expectError(throttled, 503, 'service_unavailable');
  expect(throttled.headers['retry-after']).toMatch(/^\d+$/);
  // Windows has no signals: it ends the process.
  expect(exitCode).toBe(process.platform === 'win32' ? null : 0);
});
