import type { Metafile } from 'esbuild';

/**
 * Returns the files of a circular import in a build, or undefined. They start, and end, with the first one by
 * name, whichever the build reads first.
 */
export function circularImport({ inputs }: Pick<Metafile, 'inputs'>): readonly string[] | undefined {
  const checked = new Set<string>();

  function search(file: string, importers: readonly string[]): readonly string[] | undefined {
    const start = importers.indexOf(file);
    if (start !== -1) return fromFirst(importers.slice(start));
    // Packages know what they do.
    if (checked.has(file) || file.includes('node_modules/')) return undefined;
    checked.add(file);
    // A dynamic import runs later.
    const imports = inputs[file]?.imports.filter(({ kind }) => kind === 'import-statement') ?? [];
    for (const { path } of imports) {
      const found = search(path, [...importers, file]);
      if (found) return found;
    }
    return undefined;
  }

  for (const file of Object.keys(inputs)) {
    const found = search(file, []);
    if (found) return found;
  }
  return undefined;
}

function fromFirst(circle: readonly string[]): readonly string[] {
  const first = circle.toSorted()[0] ?? '';
  const start = circle.indexOf(first);
  return [...circle.slice(start), ...circle.slice(0, start), first];
}
