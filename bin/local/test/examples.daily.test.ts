import { expect, it, vi } from 'vitest';
import { examplesOf } from '../../cli/test/support/examples.ts';
import { spawnLocalApi } from './support/spawn-local-api.ts';

it('npm start takes the examples of its usage text', async () => {
  const examples = await examplesOf('bin/local/local.ts');
  await using api = await spawnLocalApi(examples.flat());
  const headers = { Authorization: `Bearer ${api.apiKey}` };
  const listed = async () => (await fetch(`${api.baseUrl}/pets`, { headers })).status;

  // Some responses fail, as the options say.
  await vi.waitFor(async () => expect(await listed()).toBe(200));
  expect(examples.length).toBeGreaterThan(1);
});
