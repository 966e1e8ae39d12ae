import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { vi } from 'vitest';
import { stringifyJson } from '../../../shared/contract/json.ts';
import { pageSize } from '../../../shared/paging/page-query.ts';
import { exampleNewPet } from '../../../shared/pets/operations.ts';
import { type Call, call } from './api-client.ts';
import type { ApiResponse } from './conformance.ts';
import { nextOf } from './own-items.ts';

/** The fields of a pet that tests read; the client compares responses with the interface description. */
const Pet = v.looseObject({
  id: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  name: v.string(),
  categoryId: v.number(),
  // A later version of a deployed stage may have stored others than this one knows.
  status: v.string(),
});
export type Pet = v.InferOutput<typeof Pet>;

export interface Page {
  readonly text: string;
  readonly pets: readonly Pet[];
  readonly next: URL | undefined;
}

/** The parameter for as few pages as possible. */
export const largestPages = `limit=${pageSize.maximum}`;

export const petOf = ({ body }: ApiResponse): Pet => v.parse(Pet, body);

/**
 * Creates a pet like the example, or from a JSON text. The Idempotency-Key is derived from the body, so a
 * stage that is tested often does not fill up with pets.
 */
export function createOnce(newPet: string | object) {
  const body = typeof newPet === 'string' ? newPet : stringifyJson({ ...exampleNewPet, ...newPet });
  const key = `e2e-${createHash('sha256').update(body).digest('hex')}`;
  return call('POST', '/pets', { headers: { 'Idempotency-Key': key }, body });
}

export async function readPage(query: string, client: Call = call): Promise<Page> {
  const response = await client('GET', `/pets${query}`);
  return { text: response.text, pets: v.parse(v.array(Pet), response.body), next: nextOf(response) };
}

export async function readPages(query: string, client: Call = call): Promise<Page[]> {
  const page = await readPage(query, client);
  return page.next ? [page, ...(await readPages(page.next.search, client))] : [page];
}

/** Reads the list until it has all of these pets: a new pet can be missing for about a second. */
export function readPagesWith(pets: readonly Pet[], query: string): Promise<Page[]> {
  return vi.waitFor(
    async () => {
      const pages = await readPages(query);
      const listed = new Set(pages.flatMap((page) => page.pets).map(({ id }) => id));
      const missing = pets.filter(({ id }) => !listed.has(id));
      if (missing.length > 0)
        throw new Error(`GET /pets${query} does not list ${missing.length} of the pets.`);
      return pages;
    },
    { timeout: 20_000, interval: 200 },
  );
}
