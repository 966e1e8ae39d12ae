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

  it('keeps the pets that were created, and no other, though stopped and then killed in the middle of creates', async () => {
    const first = await start();
    const beforeStop = createUntilStopped(first, 40);
    await beforeStop.underWay;
    const firstExit = await first.process.exit('SIGTERM');
    await beforeStop.stopped;

    const second = await start();
    const stopped = (await readPages('?limit=100', second.call)).flatMap((page) => page.pets);
    const beforeKill = createUntilStopped(second, 80);
    await beforeKill.underWay;
    await second.process.exit('SIGKILL');
    await beforeKill.stopped;

    const third = await start();
    const killed = await readPages('?limit=100', third.call);
    const byStatus = await Promise.all(
      PetStatus.options.map((status) => readPages(`?limit=100&status=${status}`, third.call)),
    );
    const thirdExit = await third.process.exit('SIGINT');

    const created = stopped.filter(({ name }) => name === 'Created').map(({ id }) => id);
    expect(firstExit.exitCode).toBe(0);
    expect(thirdExit.exitCode).toBe(0);
    expect([second.apiKey, third.apiKey]).toEqual([first.apiKey, first.apiKey]);
    expect(new Set(created)).toStrictEqual(beforeStop.created);
    expect(stopped).toHaveLength(beforeStop.created.size + samplePets);
    const kept = new Set(idsOf(killed));
    expect([...beforeStop.created, ...beforeKill.created].filter((id) => !kept.has(id))).toEqual([]);
    // None by half: each is in the index as well.
    expect(new Set(byStatus.flatMap(idsOf))).toStrictEqual(kept);
  });
});

const idsOf = (pages: readonly Page[]) => pages.flatMap(({ pets }) => pets.map(({ id }) => id));
