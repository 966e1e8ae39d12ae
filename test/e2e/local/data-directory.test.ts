import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, ListTablesCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import { afterAll, expect, it, vi } from 'vitest';
import { operatorAt } from '../../../infra/local/template/account.ts';
import { exampleNewPet } from '../../../shared/contract/operations.ts';
import { apiClient, type Call } from '../../support/e2e/api-client.ts';
import { petOf, readPages } from '../../support/e2e/pets.ts';
import { CommandProcess } from '../../support/local/command-process.ts';
import { startDynamodb } from '../../support/setup/start-dynamodb.ts';

const directory = mkdtempSync(join(tmpdir(), 'pet-store-test-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** A port for successive processes: below the range from which a system assigns free ones. */
const port = 20_000 + (process.pid % 10_000);

const start = (pets: number) =>
  new CommandProcess('bin/local.ts', [
    ...['--stage', 'production', '--json', '--data', directory],
    ...['--port', `${port}`, '--pets', `${pets}`],
  ]);

/** Creates pets from four clients at the same time until `interrupt` has stopped the API, and returns their ids. */
async function createUntil(
  name: string,
  call: Call,
  interrupt: () => Promise<unknown>,
): Promise<Set<number>> {
  const created = new Set<number>();
  const createInTurn = async () => {
    for (;;) {
      // Fetch fails only if there is no response.
      const body = { ...exampleNewPet, name };
      const response = await call('POST', '/pets', { body }).catch(() => undefined);
      if (!response) return;
      expect(response.status).toBe(201);
      created.add(petOf(response).id);
    }
  };
  const stopped = Promise.all([createInTurn(), createInTurn(), createInTurn(), createInTurn()]);
  await vi.waitFor(() => expect(created.size).toBeGreaterThan(40), { timeout: 20_000 });
  await interrupt();
  await stopped;
  return created;
}

/** Returns the ids of the pets in the directory that have a name. */
async function keptIds(name: string): Promise<Set<number>> {
  const { endpoint, close } = await startDynamodb({ directory });
  const client = new DynamoDBClient(operatorAt(endpoint));
  const { TableNames } = await client.send(new ListTablesCommand());
  const TableName = TableNames?.find((table) => table.includes('Pets'));
  const pages = await Array.fromAsync(paginateScan({ client }, { TableName }));
  client.destroy();
  await close();
  const named = pages.flatMap(({ Items = [] }) => Items).filter((item) => item['name']?.S === name);
  return new Set(named.map((item) => Number(item['id']?.N)));
}

it('npm start -- --data keeps every acknowledged create when it is killed or stopped', {
  timeout: 120_000,
}, async () => {
  const first = start(1);
  const [ready] = await first.printed('stdout', /^.*\n/);
  const { apiKey, ...addresses } = JSON.parse(ready);
  const call = apiClient({ baseUrl: addresses.baseUrl, apiKey });
  const [sample] = (await readPages('', call)).flatMap(({ pets }) => pets);
  const beforeKill = await createUntil('Killed', call, () => first.exit('SIGKILL'));
  const { stdout, stderr } = await first.exit();

  // With the same key, and still creating sample pets.
  const second = start(1_000_000);
  await vi.waitFor(() => call('GET', '/pets?limit=1'), { timeout: 60_000 });
  const pages = await readPages('?limit=100&status=available', call);
  const { id: _id, ...body } = { ...sample };
  const again = await call('POST', '/pets', { headers: { 'Idempotency-Key': 'sample-pet-0' }, body });
  const beforeStop = await createUntil('Stopped', call, () => second.exit('SIGINT'));
  const exit = await second.exit();

  const named = pages.flatMap(({ pets }) => pets).filter(({ name }) => name === 'Killed');
  const listed = new Set(named.map(({ id }) => id));
  expect(apiKey).toMatch(/^petstore_production_/);
  expect(addresses).toStrictEqual({
    baseUrl: `http://127.0.0.1:${port}/v1`,
    docsUrl: `http://127.0.0.1:${port}/`,
  });
  expect(stdout).toBe(ready);
  expect(stderr).not.toContain(apiKey);
  expect(beforeKill.difference(listed)).toEqual(new Set());
  expect(again.body).toEqual(sample);
  expect(exit).toMatchObject({ exitCode: 0, stdout: '' });
  expect(exit.stderr).not.toContain('"level":"ERROR"');
  expect(await keptIds('Stopped')).toEqual(beforeStop);
  // Each pet in the table is also in the index.
  expect(await keptIds('Killed')).toEqual(listed);
});
