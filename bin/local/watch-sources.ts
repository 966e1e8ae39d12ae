import { watch } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('../..', import.meta.url));

/** An editor writes a file in several steps, and a checkout many files. */
const settleMs = 50;

/** Calls `onChange` with the path of a source file of what is served, whenever such files have changed. */
export function watchSources(onChange: (file: string) => void): void {
  let timer: NodeJS.Timeout | undefined;
  for (const folder of ['functions', 'infra', 'shared']) {
    watch(join(project, folder), { recursive: true }, (_event, name) => {
      if (name === null || !/\.(ts|js|css)$/.test(name)) return;
      clearTimeout(timer);
      timer = setTimeout(onChange, settleMs, join(folder, name));
    });
  }
}
