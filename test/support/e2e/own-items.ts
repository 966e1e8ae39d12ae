import * as v from 'valibot';
import { pageSize } from '../../../shared/paging/page-query.ts';
import { path } from '../contract/own-operations.ts';
import { type Call, call } from './api-client.ts';
import type { ApiResponse } from './conformance.ts';

/** The target of a list's next page. */
export function nextOf({ headers }: ApiResponse): URL | undefined {
  const [, url] = /<([^<>]*)>; rel="next"/.exec(headers['link'] ?? '') ?? [];
  return url === undefined ? undefined : new URL(url);
}

/** Returns all items of the service's list, as JSON. */
export async function allItems(client: Call = call, query = `?limit=${pageSize.maximum}`): Promise<string[]> {
  const page = await client('GET', `${path}${query}`);
  const items = v.parse(v.array(v.unknown()), page.body).map((item) => JSON.stringify(item));
  const next = nextOf(page);
  return next ? [...items, ...(await allItems(client, next.search))] : items;
}
