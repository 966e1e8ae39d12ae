import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** An item as DynamoDB represents it: each value by its type, numbers as text. */
export type StoredItem = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A write of an item to a table, or without it, its deletion. */
export interface Write {
  readonly table: string;
  readonly key: string;
  readonly item?: StoredItem;
}

export interface KeptDataOptions {
  /** Its folder is only for such files. No other process may use it at the same time. */
  readonly path: string;
  /** Whether to delete what earlier starts have kept. */
  readonly isFresh: boolean;
}

export type KeptData = NonNullable<ReturnType<typeof openKeptData>>;

/** The folder or its file system is read-only, or belongs to another user. */
const readOnlyCodes = new Set<unknown>(['EACCES', 'EPERM', 'EROFS']);

/** Without waiting for the disk, writes are fast. They outlive a process that is killed, but not a machine that fails. */
const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = OFF;
  CREATE TABLE IF NOT EXISTS items (table_name TEXT, key TEXT, item TEXT, PRIMARY KEY (table_name, key)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS named_values (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
`;

/**
 * Opens the file that keeps the tables, and values such as a key. Every write is in it before it is acknowledged, so
 * none is lost when the process is killed.
 *
 * @returns undefined, after saying so, if the folder is read-only
 * @throws {Error} if the file is damaged, or is a link
 */
export function openKeptData({ path, isFresh }: KeptDataOptions) {
  const folder = dirname(path);
  for (const each of [folder, path]) {
    // Otherwise, what it leads to would be restricted or changed.
    const isLink = lstatSync(each, { throwIfNoEntry: false })?.isSymbolicLink();
    if (isLink) throw new Error(`${each} is a link, which is not followed: remove it.`);
  }
  try {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o700);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && readOnlyCodes.has(error.code))) throw error;
    console.error(`Nothing is kept: ${folder} can't be written.`);
    return undefined;
  }
  const { database, allItems, putItem, deleteItem, getValue, putValue } = open(path, isFresh);

  return {
    path,
    /** Texts by name. */
    values: {
      get(name: string): string | undefined {
        const value = getValue.get(name)?.['value'];
        return value === undefined ? undefined : String(value);
      },
      set(name: string, value: string): void {
        putValue.run(name, value);
      },
    },
    /** @throws {Error} if the file can't be written; then it is unchanged */
    write({ table, key, item }: Write): void {
      if (item) putItem.run(table, key, JSON.stringify(item));
      else deleteItem.run(table, key);
    },
    /**
     * Replaces all items by what `rewrite` writes. Until then, the file stays as it is.
     *
     * @throws {Error} if the file is damaged, or can't be written
     */
    async replaceItems(rewrite: (items: readonly Write[]) => Promise<void>): Promise<void> {
      try {
        database.exec('BEGIN');
        const items = allItems.all().map(({ table, key, item }) => ({
          table: String(table),
          key: String(key),
          item: JSON.parse(String(item)),
        }));
        database.exec('DELETE FROM items');
        await rewrite(items);
        database.exec('COMMIT');
      } catch (error) {
        throw unusable(path, error);
      }
    },
    close: () => database.close(),
  };
}

function open(path: string, isFresh: boolean) {
  try {
    if (isFresh) for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
    const database = new DatabaseSync(path);
    database.exec(schema);
    return {
      database,
      allItems: database.prepare('SELECT table_name AS "table", key, item FROM items'),
      putItem: database.prepare('REPLACE INTO items VALUES (?, ?, ?)'),
      deleteItem: database.prepare('DELETE FROM items WHERE table_name = ? AND key = ?'),
      getValue: database.prepare('SELECT value FROM named_values WHERE name = ?'),
      putValue: database.prepare('REPLACE INTO named_values VALUES (?, ?)'),
    };
  } catch (error) {
    throw unusable(path, error);
  }
}

/** Names the file and what to do, which SQLite's errors do not. */
function unusable(path: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : cause;
  return new Error(
    `${path} can't be used (${reason}): repair that, or start with --fresh, which deletes the file, or with --port 0, which keeps nothing.`,
    { cause },
  );
}
