import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { petOf, readPages } from '../pets.ts';
import { type RunningApi, startLocalApi } from './local-process.ts';

const samplePets = 3;
const clients = 8;

describe('npm start -- --data', () => {
  const directory = mkdtempSync(join(tmpdir(), 'pet-store-test-'));
  const start = () => startLocalApi('--data', directory, '--pets', `${samplePets}`);

  afterAll(() => rmSync(directory, { recursive: true }));

  it('keeps the pets that were answered with 201, and no other, though stopped in the middle of creates', async () => {
    const first = await start();
    const { promise: underWay, resolve } = Promise.withResolvers<void>();
    const created = new Set<number>();
    const stopped = Array.from({ length: clients }, () =>
      createUntilStopped(first, (id) => {
        created.add(id);
        if (created.size >= 10 * clients) resolve();
      }),
    );
    await underWay;
    const firstExit = await first.process.exit('SIGTERM');
    await Promise.all(stopped);

    const second = await start();
    const pages = await readPages('?limit=100', second.call);
    const secondExit = await second.process.exit('SIGINT');

    const pets = pages.flatMap((page) => page.pets);
    const kept = pets.filter(({ name }) => name === 'Created').map(({ id }) => id);
    expect(firstExit.exitCode).toBe(0);
    expect(secondExit.exitCode).toBe(0);
    expect(new Set(kept)).toStrictEqual(created);
    expect(pets).toHaveLength(created.size + samplePets);
  });
});

/** Creates one pet after the other until the API takes no more, which must not be by an error of its own. */
async function createUntilStopped({ call }: RunningApi, onCreated: (id: number) => void): Promise<void> {
  const body = { name: 'Created', categoryId: 1 };
  for (;;) {
    // Fetch fails only where there is no answer at all.
    const answer = await call('POST', '/pets', { body }).catch(() => undefined);
    if (!answer) return;
    expect(answer.status).toBe(201);
    onCreated(petOf(answer).id);
  }
}
