import { describe, expect, it, vi } from 'vitest';
import { handler } from '../../functions/create-pet.ts';
import type { Creation } from '../../shared/tables/creation.ts';
import { invoke } from '../support/functions/invoke.ts';

// A hash that maps every creation to the same id at the first attempt.
vi.mock('../../shared/tables/creation.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../shared/tables/creation.ts')>();
  const petIdOf = (creation: Creation, attempt: number) =>
    attempt === 0 ? 42n : original.petIdOf(creation, attempt);
  return { ...original, petIdOf };
});

const create = (key: string) =>
  invoke(handler, {
    method: 'POST',
    headers: { 'Idempotency-Key': [key] },
    body: JSON.stringify({ name: `Pet of ${key}`, categoryId: 1 }),
  });

describe('POST /pets with two creations that share an id', () => {
  it('makes two pets, each of which its own creation finds again', async () => {
    const first = await create('one');
    const second = await create('two');
    const replays = [await create('one'), await create('two')];

    expect([first.status, second.status]).toEqual([201, 201]);
    expect(first.body).toMatchObject({ id: 42n, name: 'Pet of one' });
    expect(second.body).toMatchObject({ name: 'Pet of two' });
    expect(second.body).not.toMatchObject({ id: 42n });
    expect(replays.map(({ body }) => body)).toEqual([first.body, second.body]);
    expect(replays.map(({ headers }) => headers['Idempotency-Replayed'])).toEqual(['true', 'true']);
  });
});
