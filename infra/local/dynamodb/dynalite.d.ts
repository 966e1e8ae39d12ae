declare module 'dynalite/db/index.js' {
  import type { Call, DynaliteStore, IndexAction, TableDescription } from './dynalite-store.ts';

  const db: {
    create(options: { path?: string; createTableMs: number }): DynaliteStore;
    /** Returns why the condition of a write fails, if it does. */
    checkConditional(call: Call, item: unknown): { body: Record<string, unknown> } | null | undefined;
    /** Returns why an item does not fit a table or its indexes, if it does not. */
    validateItem(item: unknown, table: TableDescription): Error | null | undefined;
    getIndexActions(
      indexes: NonNullable<TableDescription['GlobalSecondaryIndexes']>,
      existingItem: unknown,
      item: unknown,
      table: TableDescription,
    ): { readonly puts: readonly IndexAction[]; readonly deletes: readonly IndexAction[] };
    updateIndexes(
      store: DynaliteStore,
      table: TableDescription,
      existingItem: unknown,
      item: unknown,
      done: () => void,
    ): void;
  };
  export = db;
}

declare module 'dynalite/validations/putItem.js' {
  const putItem: { readonly types: Record<string, object> };
  export = putItem;
}
