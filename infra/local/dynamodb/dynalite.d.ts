declare module 'dynalite/db/index.js' {
  import type { Call, DynaliteStore, Item, TableDescription } from './dynalite-store.ts';

  const db: {
    create(options: { path?: string; createTableMs: number }): DynaliteStore;
    /** Returns why the condition of a write fails, if it does. */
    checkConditional(call: Call, item: unknown): { body: Record<string, unknown> } | null | undefined;
    /** Returns why an item does not fit a table or its indexes, if it does not. */
    validateItem(item: Item, table: TableDescription): Error | null | undefined;
    validationError(message: string): Error;
    /** Returns the first result of `visit`, which gets each key attribute of each index. */
    traverseIndexes(
      table: TableDescription,
      visit: (key: string, type: string, index: { readonly IndexName: string }) => Error | undefined,
    ): Error | undefined;
    getIndexActions(
      indexes: NonNullable<TableDescription['GlobalSecondaryIndexes']>,
      existingItem: Item | undefined,
      item: Item | null,
      table: TableDescription,
    ): Record<'puts' | 'deletes', readonly { index: string; key: string; item?: Item }[]>;
    updateIndexes(
      store: DynaliteStore,
      table: TableDescription,
      existingItem: Item | undefined,
      item: Item | null,
      done: (error?: Error) => void,
    ): void;
  };
  export = db;
}

declare module 'dynalite/validations/*Item.js' {
  const validation: { readonly types: Record<string, object> };
  export = validation;
}
