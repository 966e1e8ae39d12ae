import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { PetStoreClient } from '../../../shared/client/pet-store-client.ts';
import { exampleNewPet } from '../../../shared/pets/operations.ts';
import { CommandProcess } from '../../support/local/command-process.ts';
import { freePort } from '../../support/local/free-port.ts';
import { ProjectCopy } from '../../support/local/project-copy.ts';

// A copy, in which the local API keeps its data.
const project = new ProjectCopy();
afterAll(() => project.remove());

// A killed process leaves its temporary directory behind.
const environment = { ...process.env, TMPDIR: project.directory, TEMP: project.directory };

const launch = (port: number, flags: readonly string[] = [], fileSizeLimit?: number) =>
  new CommandProcess(
    'bin/local.ts',
    ['--assembly', inject('localApi').assembly, '--port', `${port}`, '--json', ...flags],
    { project: project.directory, fileSizeLimit, environment },
  );

/** Starts the local API of the copy. */
async function start(...args: Parameters<typeof launch>) {
  const local = launch(...args);
  const [ready] = await local.printed('stdout', /^.*\n/);
  const { baseUrl, apiKey } = JSON.parse(ready);
  const client = new PetStoreClient({ baseUrl, apiKey, retries: 0 });
  const names = async () => (await Array.fromAsync(await client.listPets())).map(({ name }) => name);
  return { local, apiKey, client, names };
}

/** Creates 100 pets, 16 at a time, or until the API fails; returns the names of those that it acknowledged. */
async function createUntilFailure(client: PetStoreClient, afterEach: (count: number) => void) {
  const acknowledged: string[] = [];
  let lastNumber = 0;
  const createNext = async (): Promise<void> => {
    if (lastNumber === 100) return;
    lastNumber += 1;
    const name = `Pet ${lastNumber}`;
    await client.createPet({ ...exampleNewPet, name });
    acknowledged.push(name);
    afterEach(acknowledged.length);
    await createNext();
  };
  await Promise.allSettled(Array.from({ length: 16 }, createNext));
  return acknowledged;
}

describe('npm start', { timeout: 120_000 }, () => {
  it('keeps pets and key when it is killed, where Git ignores them, unless it starts with --fresh', async () => {
    const port = await freePort();
    const first = await start(port, ['--pets', '1']);
    const acknowledged = await createUntilFailure(first.client, (count) => {
      if (count === 50) void first.local.exit('SIGKILL');
    });

    const second = await start(port, ['--pets', '5']);
    const afterKill = await second.names();
    await second.local.exit('SIGINT');
    const file = `.local-data/staging-${port}.ndjson`;
    cpSync('.gitignore', project.path('.gitignore'));
    const git = (...args: readonly string[]) =>
      execFileSync('git', args, { cwd: project.directory, encoding: 'utf8' });
    git('init', '--quiet');
    const ignored = git('check-ignore', file);
    const fresh = await start(port, ['--fresh', '--pets', '0']);

    expect(acknowledged.length).toBeGreaterThanOrEqual(50);
    expect(acknowledged.length).toBeLessThan(100);
    // A create may have its effect without a response. The sample pet is not created again.
    expect(afterKill).toEqual(expect.arrayContaining([...acknowledged, 'Bella']));
    expect(afterKill.length).toBeLessThanOrEqual(acknowledged.length + 1 + 16);
    expect(second.apiKey).toBe(first.apiKey);
    expect(ignored).toBe(`${file}\n`);
    await second.local.printed('stderr', /^--pets has no effect: /m);
    expect(await fresh.names()).toStrictEqual([]);
    expect(fresh.apiKey).not.toBe(first.apiKey);
    await expect(first.client.listPets()).rejects.toMatchObject({ status: 401 });
    await fresh.local.exit('SIGTERM');
  });

  // Windows limits no file size.
  it.skipIf(process.platform === 'win32')('acknowledges no pet that has no room on the disk', async () => {
    const port = await freePort();
    const full = await start(port, ['--pets', '0'], 16);
    const acknowledged = await createUntilFailure(full.client, () => undefined);
    await full.local.printed('stderr', /staging-\d+\.ndjson can't be written: EFBIG/);
    const whileFull = await full.names();
    await full.local.exit('SIGTERM');

    const { local, names } = await start(port);

    expect(acknowledged.length).toBeGreaterThan(10);
    expect(whileFull.toSorted()).toStrictEqual(acknowledged.toSorted());
    expect((await names()).toSorted()).toStrictEqual(acknowledged.toSorted());
    await local.exit('SIGTERM');
  });
});
