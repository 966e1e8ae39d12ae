import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };

const filesIn = (pattern: string) =>
  globSync(pattern)
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.includes('node_modules'));
const sources = filesIn('{bin,functions,infra,shared,test}/**/*.{ts,mjs,cjs}');
const others = ['cdk.json', 'vitest.config.ts', ...filesIn('.github/workflows/*.yml')];
const texts = new Map([...sources, ...others].map((path) => [path, readFileSync(path, 'utf8')]));
texts.set('package.json', JSON.stringify(packageJson.scripts));

/** The files that a file may mean: paths from the root, and paths from its own folder. */
const namedIn = ([path, text]: readonly [path: string, text: string]) =>
  text
    // The extension of a bundle's neighbour depends on the bundle.
    .replaceAll(/\$\{extname\(.*?\)\}`/g, ".ts'")
    .match(/(?<=['"` ])[\w./-]+\.(?:ts|mjs)(?=['"?: ])/g)
    ?.flatMap((name) => [posix.normalize(name), posix.join(posix.dirname(path), name)]) ?? [];

it('every file is named by another', () => {
  const named = new Set([...texts].flatMap(namedIn));
  // The stack names a handler by its operation, the project of a test is served as a whole, the daily checks are found
  // by their name, and what tools share may outlive the last that used it.
  const expected = filesIn('{bin,infra,shared,test/support}/**/*.ts').filter(
    (path) => !/\/live-project\/|\/daily\.ts$|^bin\/cli\/|\.(?:d|test)\.ts$/.test(path),
  );

  expect(expected.filter((path) => !named.has(path))).toEqual([]);
});

it('every package is used', () => {
  const all = [...texts.values()].join('\n');
  const { dependencies, devDependencies } = packageJson;
  // Types are there for what has none of its own.
  const unused = Object.keys({ ...dependencies, ...devDependencies }).filter(
    (name) => !new RegExp(`['"/ ]${name.replace(/^@types\//, '')}['"/ ]`).test(all),
  );

  expect(unused).toEqual([]);
});
