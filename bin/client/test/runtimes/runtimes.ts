import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** An executable of a package for one platform: the package for every platform copies it with a script. */
function executable(name: string): string {
  const path = join(import.meta.dirname, 'node_modules', name);
  if (existsSync(path)) return path;
  throw new Error('Bun and Deno are only installed on Linux (x64, glibc).');
}

/** How to run a file on each runtime. */
export const runtimes: Readonly<Record<string, readonly [command: string, ...args: string[]]>> = {
  node: [process.execPath],
  bun: [executable('@oven/bun-linux-x64/bin/bun'), 'run'],
  deno: [executable('@deno/linux-x64-glibc/deno'), 'run', '--no-prompt', '--allow-all'],
};
