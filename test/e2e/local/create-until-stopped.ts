import { expect } from 'vitest';
import { petOf } from '../pets.ts';
import type { RunningApi } from './local-process.ts';

/** Creates one pet after the other until the API takes no more, which must not be by an error of its own. */
export async function createUntilStopped(
  { call }: RunningApi,
  onCreated: (id: number) => void,
): Promise<void> {
  const body = { name: 'Created', categoryId: 1 };
  for (;;) {
    // Fetch fails only where there is no answer at all.
    const answer = await call('POST', '/pets', { body }).catch(() => undefined);
    if (!answer) return;
    expect(answer.status).toBe(201);
    onCreated(petOf(answer).id);
  }
}
