import { readPetPage } from '../../shared/tables/pets-table.ts';

const firstPages = new Map<
  string,
  { readonly page: ReturnType<typeof readPetPage>; readonly until: number }
>();

/** Reads a page, but a first page at most once a second in each execution environment. */
export function readCachedPage(request: Parameters<typeof readPetPage>[0]) {
  if (request.after !== undefined) return readPetPage(request);
  const key = `${request.limit} ${request.status}`;
  const cached = firstPages.get(key);
  if (cached && Date.now() < cached.until) return cached.page;
  const page = readPetPage(request);
  firstPages.set(key, { page, until: Date.now() + 1000 });
  page.catch(() => firstPages.delete(key));
  return page;
}
