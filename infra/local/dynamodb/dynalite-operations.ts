import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname } from 'node:path';
import type { Call, DynaliteStore } from './dynalite-store.ts';

/** How dynalite validates and executes an operation. */
export interface Operation {
  readonly validation: { readonly types: unknown; readonly custom?: unknown };
  readonly action: (
    store: DynaliteStore,
    call: Call,
    done: (error: unknown, output?: unknown) => void,
  ) => void;
}

const require = createRequire(import.meta.url);

/** The names of dynalite's operations in its files, such as `getItem`. The sandbox has its own list. */
const names = readdirSync(dirname(require.resolve('dynalite/actions/getItem.js'))).map((file) =>
  basename(file, '.js'),
);

/** dynalite's operations, by file name. */
export const operationFiles: readonly (readonly [name: string, operation: Operation])[] = names.map(
  (name) => [
    name,
    {
      validation: require(`dynalite/validations/${name}.js`),
      action: require(`dynalite/actions/${name}.js`),
    },
  ],
);
