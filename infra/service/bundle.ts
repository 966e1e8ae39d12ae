import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Stage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { type BuildOptions, buildSync, type OutputFile } from 'esbuild';
import { bundleOptions, project } from './bundle-options.ts';

const handlers = readdirSync(join(project, 'functions')).filter((file) => file.endsWith('.ts'));

/** Bundles of all handlers by path, built together once per process because they share the SDK. */
let bundles: readonly OutputFile[] | undefined;

/** Returns the code of a function, such as `functions/create-pet.ts` for `CreatePet`. */
export function codeOf(scope: Construct, functionId: string): Code {
  const entry = functionId.replaceAll(/\B[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
  if (!handlers.includes(`${entry}.ts`)) throw new Error(`${functionId} needs functions/${entry}.ts.`);
  const directory = join(Stage.of(scope)?.outdir ?? '', `bundle-${entry}`);
  bundles ??= build(handlers.map((file) => join('functions', file)));
  write(bundles, entry, directory);
  return Code.fromAsset(directory);
}

/** Bundles a handler file, relative to the project root, into an ES module with a source map. */
export function bundle(file: string, directory: string, options: Pick<BuildOptions, 'external'> = {}): void {
  write(build([file], options), basename(file, '.ts'), directory);
}

const build = (
  files: readonly string[],
  options: Pick<BuildOptions, 'external'> = {},
): readonly OutputFile[] =>
  buildSync({
    ...bundleOptions,
    ...options,
    entryPoints: Object.fromEntries(files.map((file) => [basename(file, '.ts'), file])),
    logLevel: 'warning',
  }).outputFiles;

/** Writes the bundle of a handler as `index.mjs`, with its source map beside it. */
function write(files: readonly OutputFile[], name: string, directory: string): void {
  mkdirSync(directory, { recursive: true });
  for (const { path, contents } of files) {
    const [file = '', ...extensions] = basename(path).split('.');
    if (file === name) writeFileSync(join(directory, ['index', ...extensions].join('.')), contents);
  }
}
