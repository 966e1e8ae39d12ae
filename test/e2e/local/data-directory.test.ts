import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, expect, it, vi } from 'vitest';
import { openTables } from '../../../infra/local/dynamodb/data-directory.ts';
import { exampleNewPet } from '../../../shared/contract/operations.ts';
import { apiClient } from '../../support/e2e/api-client.ts';
import { petOf } from '../../support/e2e/pets.ts';
import { CommandProcess } from '../../support/local/command-process.ts';

const directory = mkdtempSync(join(tmpdir(), 'pet-store-test-'));
afterAll(() => rmSync(directory, { recursive: true }));

const Listed = v.object({ TableNames: v.array(v.string()) });
const Scanned = v.object({ Items: v.array(v.object({ id: v.object({ N: v.string() }) })) });

it('npm start -- --data keeps every acknowledged create when it is killed', {
  timeout: 120_000,
}, async () => {
  const local = new CommandProcess('bin/local.ts', [
    ...['--json', '--port', '0', '--pets', '0'],
    ...['--data', directory],
  ]);
  const [ready] = await local.printed('stdout', /^.*\n/);
  const call = apiClient(JSON.parse(ready));
  const created = new Set<string>();
  const createInTurn = async () => {
    for (;;) {
      // Fetch fails only if there is no response.
      const response = await call('POST', '/pets', { body: exampleNewPet }).catch(() => undefined);
      if (!response) return;
      expect(response.status).toBe(201);
      created.add(`${petOf(response).id}`);
    }
  };
  const creating = Promise.all([createInTurn(), createInTurn(), createInTurn(), createInTurn()]);
  await vi.waitFor(() => expect(created.size).toBeGreaterThan(40), { timeout: 20_000 });

  await local.exit('SIGKILL');
  await creating;

  const tables = await openTables(directory);
  const { TableNames } = v.parse(Listed, await tables.call('ListTables', {}));
  const TableName = TableNames.find((name) => name.includes('Pets'));
  const idsIn = async (source: object) => {
    const { Items } = v.parse(Scanned, await tables.call('Scan', { TableName, ...source }));
    return new Set(Items.map(({ id }) => id.N));
  };
  const kept = await idsIn({});
  expect(created.difference(kept)).toEqual(new Set());
  expect(await idsIn({ IndexName: 'byStatus' })).toEqual(kept);
  await tables.close();
});
