import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { PetStatus } from '../../../shared/contract/schemas/pet.ts';
import { type Page, readPages } from '../../support/e2e/pets.ts';
import { createUntilStopped } from '../../support/local/create-until-stopped.ts';
import { startLocalApi } from '../../support/local/local-process.ts';

const samplePets = 3;

describe('npm start -- --data', { timeout: 120_000 }, () => {
  const directory = mkdtempSync(join(tmpdir(), 'pet-store-test-'));
  const start = () => startLocalApi('--data', directory, '--pets', `${samplePets}`);

  afterAll(() => rmSync(directory, { recursive: true }));

  it('keeps the pets that were answered with 201, and no other, though stopped in the middle of creates', async () => {
    const first = await start();
    const { created, underWay, stopped } = createUntilStopped(first, 40);
    await underWay;
    const firstExit = await first.process.exit('SIGTERM');
    await stopped;

    const second = await start();
    const pages = await readPages('?limit=100', second.call);
    const secondExit = await second.process.exit('SIGINT');

    const pets = pages.flatMap((page) => page.pets);
    const kept = pets.filter(({ name }) => name === 'Created').map(({ id }) => id);
    expect(firstExit.exitCode).toBe(0);
    expect(secondExit.exitCode).toBe(0);
    expect(second.apiKey).toBe(first.apiKey);
    expect(new Set(kept)).toStrictEqual(created);
    expect(pets).toHaveLength(created.size + samplePets);
  });

  it('loses no pet that was answered with 201, and holds none by half, though killed in the middle of creates', async () => {
    const first = await start();
    const { created, underWay, stopped } = createUntilStopped(first, 200);
    await underWay;
    await first.process.exit('SIGKILL');
    await stopped;

    const second = await start();
    const all = await readPages('?limit=100', second.call);
    const byStatus = await Promise.all(
      PetStatus.options.map((status) => readPages(`?limit=100&status=${status}`, second.call)),
    );
    await second.process.exit('SIGTERM');

    const kept = new Set(idsOf(all));
    expect([...created].filter((id) => !kept.has(id))).toEqual([]);
    expect(new Set(byStatus.flatMap(idsOf))).toStrictEqual(kept);
  });
});

const idsOf = (pages: readonly Page[]) => pages.flatMap(({ pets }) => pets.map(({ id }) => id));
