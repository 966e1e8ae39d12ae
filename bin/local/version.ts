import cluster from 'node:cluster';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import type { Legacy, ServeOptions } from './serve.ts';

/** What a version is told when it is to start. */
export interface Start {
  readonly options: ServeOptions;
  readonly legacy: Legacy;
}

/** What a version reports when it is ready. */
export interface Ready {
  readonly apiKey: string;
}

// The process of a version. The libraries, which take longest to load, are loaded before there is a change to serve.
enableCompileCache();
const infra = new URL('../../infra/', import.meta.url);
for (const file of readdirSync(infra, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.ts')) continue;
  const imports = readFileSync(new URL(file, infra), 'utf8').matchAll(
    /^import (?!type )[^;]+ from '([a-z@][^':]+)';$/gm,
  );
  // One that does not exist is told of by whoever serves the file.
  for (const [, library = ''] of imports) await import(library).catch(() => undefined);
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
