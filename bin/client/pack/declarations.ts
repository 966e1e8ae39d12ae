import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** An import or a re-export of names from another file of the package. */
const link = /^(import|export) (?:type )?\{([^}]*)\} from '(\..+)\.[jt]s';\n/gm;
const declaration = /^export ((?:declare )?(?:class|const|function|interface|type) (\w+))/gm;

/**
 * Returns the declarations of a package as one file: those of its entry, and of the files that these refer to. Only
 * what the entry exports is exported.
 *
 * @param written - declarations that take the place of the compiler's, whose comments they keep, by their names
 */
export function declarationsOf(
  directory: string,
  entry: string,
  written: Readonly<Record<string, string>>,
): string {
  const start = join(directory, entry);
  const files = new Set([start]);
  const texts: string[] = [];
  // A set's loop also visits what is added during it.
  for (const file of files) {
    for (const { names, path } of linksIn(file)) {
      if (names.some((name) => !(name in written))) files.add(path);
      const types = names.filter((name) => name in written);
      texts.push(...types.map((name) => `${commentOn(name, path)}export ${written[name]}\n`));
    }
    texts.push(readText(file).replaceAll(/^(import .*|export .* from .*|export \{\};)\n/gm, ''));
  }
  const own = [...readText(start).matchAll(declaration)].map(([, , name]) => name);
  const others = linksIn(start).flatMap(({ kind, names }) => (kind === 'export' ? names : []));
  const isPublic = new Set([...own, ...others]);
  const text = [...new Set(texts)].join('');
  const declarations = text.replaceAll(declaration, (exported, bare, name) =>
    isPublic.has(name) ? exported : bare,
  );
  // Otherwise every declaration of the file would be exported.
  return `${declarations}export {};\n`;
}

const readText = (file: string) => readFileSync(file, 'utf8');

const linksIn = (file: string) =>
  [...readText(file).matchAll(link)].map(([, kind, list = '', path]) => ({
    kind,
    names: list.split(',').map((name) => name.trim().replace(/^type /, '')),
    path: join(dirname(file), `${path}.d.ts`),
  }));

/** Returns the comment on a name's first declaration in a file. */
function commentOn(name: string, file: string): string {
  const pattern = new RegExp(`(/\\*\\*(?:(?!\\*/).)*\\*/\n)export (?:type|declare const) ${name}\\b`, 's');
  return pattern.exec(readText(file))?.[1] ?? '';
}
