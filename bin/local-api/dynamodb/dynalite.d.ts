declare module 'dynalite/db/index.js' {
  import type { Call, DynaliteStore } from './dynalite-store.ts';
  import type { StoredItem } from './kept-data.ts';

  interface Table {
    readonly TableName: string;
    readonly KeySchema: readonly { readonly AttributeName: string }[];
  }

  const db: {
    create(options: { createTableMs: number }): DynaliteStore;
    /** Returns why the condition of a write fails, if it does. */
    checkConditional(call: Call, item: unknown): { body: Record<string, unknown> } | null | undefined;
    validationError(message: string): Error;
    /** Returns the first result of `visit`, which gets each key attribute of each index. */
    traverseIndexes(
      table: unknown,
      visit: (
        key: string,
        type: string,
        index: Pick<Table, 'KeySchema'> & { readonly IndexName: string },
      ) => Error | undefined,
    ): Error | undefined;
    /** Returns the text that the item has as a key of the store. */
    createKey(item: StoredItem, table: Table): string;
    updateIndexes(
      store: DynaliteStore,
      table: Table,
      existingItem: StoredItem | null | undefined,
      item: StoredItem | null | undefined,
      done: (error?: unknown) => void,
    ): void;
  };
  export = db;
}

declare module 'dynalite/validations/*.js' {
  const validation: { readonly types: Record<string, object>; readonly custom?: unknown };
  export = validation;
}

declare module 'dynalite/actions/*.js' {
  import type { Operation } from './dynalite-operations.ts';

  const action: Operation['action'];
  export = action;
}

declare module 'dynalite/validations/index.js' {
  import type { Call, DynaliteStore } from './dynalite-store.ts';

  const validations: {
    checkTypes(call: Call, types: unknown): Call;
    checkValidations(call: Call, types: unknown, custom: unknown, store: DynaliteStore): void;
  };
  export = validations;
}
