import cluster from 'node:cluster';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import type { OpenTables } from '../../infra/local/local-api.ts';
import type { ServeOptions } from './serve.ts';

/** What one version of the local API leaves to the next. */
export interface Legacy {
  readonly tables: OpenTables;
  /** The key that the first version has issued. */
  readonly apiKey?: string | undefined;
}

/** What a version is told when it is to start. */
export interface Start {
  readonly options: ServeOptions;
  readonly legacy: Legacy;
}

/** What a version reports when it is ready. */
export interface Ready {
  readonly apiKey: string;
}

/** A version of the local API, seen from within. */
export interface Version {
  readonly legacy: Legacy;
  /** Takes over from the last version, if there is one; settles when that takes no more requests. */
  ready(apiKey: string): Promise<void>;
  /** Says that it takes no more requests. */
  closing(): void;
}

// The process of a version. The libraries, which take longest to load, are loaded before there is a change to serve.
const infra = new URL('../../infra/', import.meta.url);
for (const file of readdirSync(infra, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.ts')) continue;
  const imports = readFileSync(new URL(file, infra), 'utf8').matchAll(
    /^import (?!type ).+ from '([a-z@][^':]+)';$/gm,
  );
  for (const [, library = ''] of imports) await import(library);
}

const { options, legacy }: Start = (await once(process, 'message'))[0];
try {
  const { serve } = await import('./serve.ts');
  await serve(options, {
    legacy,
    async ready(apiKey) {
      cluster.worker?.send({ apiKey } satisfies Ready);
      await once(process, 'message');
    },
    closing: () => cluster.worker?.send('closing'),
  });
} catch (error) {
  console.error(error instanceof Error ? withoutForeignFrames(error.stack ?? error.message) : error);
  process.exit(1);
}

/** A stack with the lines of this project alone. */
function withoutForeignFrames(stack: string): string {
  return stack.replaceAll(/\n {4}at .*(?:node:|node_modules).*/g, '');
}
