declare module 'dynalite/db/index.js' {
  import type { Call, DynaliteStore } from './dynalite-store.ts';

  type Item = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

  const db: {
    create(options: { createTableMs: number }): DynaliteStore;
    /** Returns why the condition of a write fails, if it does. */
    checkConditional(call: Call, item: unknown): { body: Record<string, unknown> } | null | undefined;
    validationError(message: string): Error;
    /** Returns the first result of `visit`, which gets each key attribute of each index. */
    traverseIndexes(
      table: unknown,
      visit: (key: string, type: string, index: { readonly IndexName: string }) => Error | undefined,
    ): Error | undefined;
    updateIndexes(
      store: unknown,
      table: unknown,
      existingItem: unknown,
      item: Item | null | undefined,
      done: (error?: Error) => void,
    ): void;
  };
  export = db;
}

declare module 'dynalite/validations/*Item.js' {
  const validation: { readonly types: Record<string, object> };
  export = validation;
}
