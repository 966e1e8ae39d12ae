import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { npm } from '../../bin/cli/test/support/npm.ts';
import packageJson from '../../package.json' with { type: 'json' };
import configure from '../../vitest.config.ts';
import { setup } from '../support/setup/base-url.ts';

const stage = { BASE_URL: 'https://staging.pets.example/v1', API_KEY: 'petstore_staging_key' };

beforeEach(() => {
  for (const [name, value] of Object.entries({ ...stage, SMOKE: undefined })) {
    vi.stubEnv(name, value);
  }
});
afterEach(() => vi.unstubAllEnvs());

/** Configures Vitest in a shell that has the address of a stage, and returns which it would call. */
function targetIn(mode: string): string | undefined {
  configure({ mode, command: 'serve' });
  return process.env['BASE_URL'];
}

it.each(['test', 'quick', 'slow', 'service'])('vitest --mode %s calls no stage', (mode) => {
  expect(targetIn(mode)).toBe('');
});

it.each(['e2e', 'smoke'] as const)('npm run %s calls the stage of the shell', (script) => {
  const [, mode = ''] = / --mode (\w+) /.exec(packageJson.scripts[script]) ?? [];

  expect(targetIn(mode)).toBe(stage.BASE_URL);
});

it.each([
  [undefined, 'These tests create pets at https://staging.pets.example/v1.'],
  ['1', 'These tests only read https://staging.pets.example/v1.'],
])('the target is named before anything is sent, with SMOKE=%s', async (smoke, message) => {
  const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const provide = vi.fn();
  vi.stubEnv('SMOKE', smoke);

  await setup({ provide });

  expect(printed.mock.calls).toStrictEqual([[message]]);
  expect(provide).toHaveBeenCalledWith('baseUrl', stage.BASE_URL);
});

it('npm run smoke says what it needs', async () => {
  const run = npm(['run', '--silent', 'smoke'], { env: { ...process.env, BASE_URL: '' } });

  const message = 'npm run smoke tests a deployed stage: set BASE_URL and API_KEY.\n';
  await expect(run).rejects.toMatchObject({ code: 1, stdout: '', stderr: message });
});
