declare module 'dynalite/db/index.js' {
  import type { Call, DynaliteStore } from './dynalite-tables.ts';

  const db: {
    create(options: {
      /** The folder of the tables; in memory without it. */
      path?: string;
      /** How long a new table is not active yet. */
      createTableMs?: number;
    }): DynaliteStore;
    /** Why a write of an item fails its condition, if it does. */
    checkConditional(
      call: Call,
      item: unknown,
    ): { readonly body: Record<string, unknown> } | null | undefined;
  };
  export = db;
}

declare module 'dynalite/validations/index.js' {
  import type { Call, DynaliteStore, Validation } from './dynalite-tables.ts';

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
