import { afterAll, describe, expect, it, vi } from 'vitest';
import type { Creation } from '../../shared/tables/creation.ts';
import { invoke } from '../support/functions/invoke.ts';

// A hash that maps every creation to the same id at the first attempt.
const hash = '../../shared/tables/creation.ts';
vi.doMock(hash, async (importOriginal) => {
  const original = await importOriginal<typeof import('../../shared/tables/creation.ts')>();
  const petIdOf = (creation: Creation, attempt: number) =>
    attempt === 0 ? 42n : original.petIdOf(creation, attempt);
  return { ...original, petIdOf };
});
vi.resetModules();
const { handler } = await import('../../functions/create-pet.ts');

afterAll(() => {
  vi.doUnmock(hash);
  vi.resetModules();
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

    expect(first).toMatchObject({ status: 201, body: { id: 42n, name: 'Pet of one' } });
    expect(second).toMatchObject({ status: 201, body: { name: 'Pet of two' } });
    expect(second.body).not.toMatchObject({ id: 42n });
    expect(replays).toMatchObject(
      [first, second].map(({ body }) => ({ body, headers: { 'Idempotency-Replayed': 'true' } })),
    );
  });
});
