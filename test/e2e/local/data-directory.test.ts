import { expect, inject, it, vi } from 'vitest';
import { exampleNewPet } from '../../../shared/contract/operations.ts';
import { apiClient } from '../../support/e2e/api-client.ts';
import { largestPages, petOf, readPages } from '../../support/e2e/pets.ts';
import { temporaryDirectory } from '../../support/e2e/temporary-file.ts';
import { CommandProcess } from '../../support/local/command-process.ts';

const directory = temporaryDirectory();

async function start() {
  const { assembly } = inject('localApi');
  const flags = ['--assembly', assembly, '--json', '--port', '0', '--pets', '0', '--data', directory];
  const local = new CommandProcess('bin/local.ts', flags);
  const [ready] = await local.printed('stdout', /^.*\n/);
  return { local, call: apiClient(JSON.parse(ready)) };
}

it('npm start -- --data keeps every acknowledged create when it is killed', {
  timeout: 120_000,
}, async () => {
  const { local, call } = await start();
  const created = new Set<number>();
  const createInTurn = async () => {
    for (;;) {
      // Fetch fails only if there is no response.
      const response = await call('POST', '/pets', { body: exampleNewPet }).catch(() => undefined);
      if (!response) return;
      expect(response.status).toBe(201);
      created.add(petOf(response).id);
    }
  };
  const creating = Promise.all([createInTurn(), createInTurn(), createInTurn(), createInTurn()]);
  await vi.waitFor(() => expect(created.size).toBeGreaterThan(40), { timeout: 20_000 });

  await local.exit('SIGKILL');
  await creating;

  const restarted = await start();
  const idsIn = async (query: string) => {
    const pages = await readPages(query, restarted.call);
    return new Set(pages.flatMap(({ pets }) => pets).map(({ id }) => id));
  };
  const kept = await idsIn(`?${largestPages}`);
  expect(created.difference(kept)).toEqual(new Set());
  expect(await idsIn(`?${largestPages}&status=available`)).toEqual(kept);
  await restarted.local.exit('SIGTERM');
});
