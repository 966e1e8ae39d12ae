import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import type { LiveProject } from '../project.ts';

/**
 * Returns plugins for two builds that belong together, of the functions and of the CDK app: each file of the project
 * is read once for both, so that a save between them is in neither.
 */
export function sourceSnapshot({ root, folders, app }: Pick<LiveProject, 'root' | 'folders' | 'app'>) {
  const texts = new Map<string, string>();
  const read = (path: string) => {
    const text = texts.get(path) ?? readFileSync(path, 'utf8');
    texts.set(path, text);
    return text;
  };
  const anyFolder = folders.map(RegExp.escape).join('|');
  const filter = new RegExp(`^${RegExp.escape(root)}(${anyFolder})[\\\\/].*\\.[cm]?[jt]s$`);
  const plugin = (textOf: (path: string) => string): Plugin => ({
    name: 'source-snapshot',
    setup: ({ onLoad }) => onLoad({ filter }, ({ path }) => ({ contents: textOf(path), loader: 'default' })),
  });

  return {
    /** Reads all files anew from then on. */
    renew: () => texts.clear(),
    ofFunctions: plugin(read),
    /** In a bundle, each module of the app still knows its own place, from which it may read other files. */
    ofApp: plugin((path) =>
      read(path)
        .replaceAll(/\bimport\.meta\.dirname\b/g, () => JSON.stringify(dirname(path)))
        .replaceAll(/\bimport\.meta\.filename\b/g, () => JSON.stringify(path))
        .replaceAll(/\bimport\.meta\.url\b/g, () => JSON.stringify(pathToFileURL(path).href))
        .replaceAll(/\bimport\.meta\.main\b/g, () => `${path === join(root, app)}`),
    ),
  };
}
