import { expect } from 'vitest';
import { petOf } from '../e2e/pets.ts';
import type { RunningApi } from './local-process.ts';

const clients = 4;

/** Creates by several clients at once, which go on until the API takes no more. */
export interface Creates {
  /** The ids of the pets created with 201. */
  readonly created: ReadonlySet<number>;
  /** Settles when enough pets were created. */
  readonly underWay: Promise<void>;
  /** Settles when every client has met an API that takes no more. */
  readonly stopped: Promise<unknown>;
}

/** Creates pets named `Created`, whose first `enough` show that the creates are under way. */
export function createUntilStopped(api: RunningApi, enough: number): Creates {
  const created = new Set<number>();
  const { promise: underWay, resolve } = Promise.withResolvers<void>();
  const onCreated = (id: number) => {
    created.add(id);
    if (created.size >= enough) resolve();
  };
  const stopped = Promise.all(Array.from({ length: clients }, () => createInTurn(api, onCreated)));
  return { created, underWay, stopped };
}

async function createInTurn({ call }: RunningApi, onCreated: (id: number) => void): Promise<void> {
  const body = { name: 'Created', categoryId: 1 };
  for (;;) {
    // Fetch fails only where there is no response at all.
    const response = await call('POST', '/pets', { body }).catch(() => undefined);
    if (!response) return;
    expect(response.status).toBe(201);
    onCreated(petOf(response).id);
  }
}
