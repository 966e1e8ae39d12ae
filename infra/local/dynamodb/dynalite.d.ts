declare module 'dynalite/db/index.js' {
  import type { Call, DynaliteStore, TableDescription } from './dynalite-store.ts';

  interface IndexActions {
    readonly puts: readonly { readonly index: string; readonly key: string; readonly item: unknown }[];
    readonly deletes: readonly { readonly index: string; readonly key: string }[];
  }

  const db: {
    create(options: {
      /** The folder of the tables; without it they are in memory. */
      path?: string;
      /** How long a new table is not active yet, in milliseconds. */
      createTableMs?: number;
    }): DynaliteStore;
    /** Returns why the condition of a write fails, if it does. */
    checkConditional(
      call: Call,
      item: unknown,
    ): { readonly body: Record<string, unknown> } | null | undefined;
    /** Returns why an item does not fit a table or its indexes, if it does not. */
    validateItem(item: unknown, table: TableDescription): Error | null | undefined;
    getIndexActions(
      indexes: NonNullable<TableDescription['GlobalSecondaryIndexes']>,
      existingItem: unknown,
      item: unknown,
      table: TableDescription,
    ): IndexActions;
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

declare module 'dynalite/validations/index.js' {
  import type { Call, DynaliteStore } from './dynalite-store.ts';
  import type { Validation } from './dynalite-tables.ts';

  const validations: {
    checkTypes(call: Call, types: Validation['types']): Call;
    checkValidations(
      call: Call,
      types: Validation['types'],
      custom: Validation['custom'],
      store: DynaliteStore,
    ): void;
  };
  export = validations;
}

declare module 'dynalite/validations/putItem.js' {
  const putItem: { readonly types: Record<string, object> };
  export = putItem;
}
