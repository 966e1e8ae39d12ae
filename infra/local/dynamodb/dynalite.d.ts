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
