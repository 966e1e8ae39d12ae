import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, ListTablesCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import { afterAll, expect, it, vi } from 'vitest';
import { operatorAt } from '../../../infra/local/template/account.ts';
import { apiClient, type Call } from '../../support/e2e/api-client.ts';
import { petOf, readPages } from '../../support/e2e/pets.ts';
import { CommandProcess } from '../../support/local/command-process.ts';
import { startDynamodb } from '../../support/setup/start-dynamodb.ts';

const directory = mkdtempSync(join(tmpdir(), 'pet-store-test-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** A port for one process after another: below those that a system gives out itself. */
const port = 20_000 + (process.pid % 10_000);

const start = (pets: number) =>
  new CommandProcess('bin/local.ts', [
    ...['--stage', 'production', '--json', '--data', directory],
    ...['--port', `${port}`, '--pets', `${pets}`],
  ]);

/** Creates pets by four clients at once until the API takes no more, and gives their ids once `interrupt` has ended it. */
async function createUntil(
  name: string,
  call: Call,
  interrupt: () => Promise<unknown>,
): Promise<Set<number>> {
  const created = new Set<number>();
  const createInTurn = async () => {
    for (;;) {
      // Fetch fails only where there is no response at all.
      const body = { name, categoryId: 1 };
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

/** The ids of the pets of a name that the directory has. */
async function keptIds(name: string): Promise<Set<number>> {
  const { endpoint, close } = await startDynamodb(() => undefined, join(directory, 'tables'));
  const client = new DynamoDBClient(operatorAt(endpoint));
  const { TableNames } = await client.send(new ListTablesCommand());
  const TableName = TableNames?.find((table) => table.includes('Pets'));
  const pages = await Array.fromAsync(paginateScan({ client }, { TableName }));
  client.destroy();
  await close();
  const named = pages.flatMap(({ Items = [] }) => Items).filter((item) => item['name']?.S === name);
  return new Set(named.map((item) => Number(item['id']?.N)));
}

it('npm start -- --data keeps what was created, though killed and then stopped in the middle of creates', {
  timeout: 120_000,
}, async () => {
  const first = start(1);
  const [ready] = await first.printed('stdout', /^.*\n/);
  const { apiKey, ...addresses } = JSON.parse(ready);
  const call = apiClient({ baseUrl: addresses.baseUrl, apiKey });
  const [sample] = (await readPages('', call)).flatMap(({ pets }) => pets);
  const beforeKill = await createUntil('Killed', call, () => first.exit('SIGKILL'));
  const { stdout, stderr } = await first.exit();

  // With the same key, and while it creates more sample pets than it ever will have.
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
  expect(exit).toStrictEqual({ exitCode: 0, stdout: '', stderr: '' });
  expect(readdirSync(directory)).not.toContain('in-use');
  expect(await keptIds('Stopped')).toEqual(beforeStop);
  // None by half: each is in the index as well.
  expect(await keptIds('Killed')).toEqual(listed);
});
