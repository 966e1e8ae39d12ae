declare module 'dynalite' {
  import type { Server } from 'node:http';

  function dynalite(options?: {
    /** The folder of the tables; in memory without it. */
    path?: string;
    /** How long a new table is not active yet. */
    createTableMs?: number;
  }): Server;

  export = dynalite;
}

declare module 'dynalite/db/index.js' {
  const db: {
    /** Why a write of an item fails its condition, if it does. */
    checkConditional(
      call: Readonly<Record<string, unknown>>,
      item: unknown,
    ): { readonly body: Record<string, unknown> } | null | undefined;
  };
  export = db;
}

declare module 'dynalite/validations/putItem.js' {
  const putItem: { readonly types: Record<string, object> };
  export = putItem;
}
