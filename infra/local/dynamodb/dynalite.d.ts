declare module 'dynalite/db/index.js' {
  import type { DynaliteStore } from './dynalite-tables.ts';

  const db: {
    create(options: {
      /** The folder of the tables; in memory without it. */
      path?: string;
      /** How long a new table is not active yet. */
      createTableMs?: number;
    }): DynaliteStore;
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
