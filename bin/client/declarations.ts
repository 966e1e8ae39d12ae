import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Returns the types of a package, as text: those of its entry, and of the files that these refer to. */
export function declarationsOf(directory: string, entry: string): string {
  const files = new Set([join(directory, entry)]);
  // A set's loop also visits what is added during it.
  for (const file of files) {
    for (const [, path = ''] of read(file).matchAll(/ from '(\..+)\.[jt]s';$/gm)) {
      files.add(join(dirname(file), `${path}.d.ts`));
    }
  }
  const texts = [...files].map(
    (file) => `// ${relative(directory, file).replaceAll('\\', '/')}\n\n${read(file)}`,
  );
  return texts.join('\n');
}

const read = (file: string) => readFileSync(file, 'utf8');
