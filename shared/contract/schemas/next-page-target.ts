import { encodeCursor, type Filter } from './page-cursor.ts';

/** The names of the parameters in a path: `ownerId` in `/owners/{ownerId}/pets`. */
type ParametersIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParametersIn<Rest>
  : never;

/** The page of a list after the position `next`. */
export interface NextPage<Path extends string> {
  readonly limit: number;
  /** Parameters of the path come first: cursors then stay the same when the list gets a filter. */
  readonly filter: Filter & Readonly<Record<ParametersIn<Path>, string | bigint>>;
  readonly next: string;
}

/** Returns the path and query of a list's next page, with the same parameters as this one. */
export function nextPageTarget<const Path extends `/${string}`>(
  path: Path,
  { limit, filter, next }: NextPage<Path>,
): `/${string}` {
  const values: Filter = filter;
  const filled = path.slice(1).replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(`${values[name]}`));
  const query = new URLSearchParams({ limit: `${limit}` });
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && !path.includes(`{${name}}`)) query.append(name, `${value}`);
  }
  query.append('cursor', encodeCursor(next, values));
  return `/${filled}?${query}`;
}
