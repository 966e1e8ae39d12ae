import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { Stage } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { buildSync, type OutputFile } from 'esbuild';
import * as v from 'valibot';
import { bundledFiles, bundleOptions } from './bundle-options.ts';

/** The bundles of all handlers, once they are built: together, they take half as long as one by one. */
let built: readonly OutputFile[] | undefined;

/** The bundles that bin/local/this-project.ts hands over as context: their directories, by the file of the handler. */
const Bundles = v.optional(v.record(v.string(), v.string()), {});

/** Returns the code of a function whose handler is in a file, relative to the project root. */
export function codeOf(scope: Construct, file: string): Code {
  const given = v.parse(Bundles, scope.node.tryGetContext('pet-store:bundles'))[file];
  if (given !== undefined) return Code.fromAsset(given);
  const directory = join(Stage.of(scope)?.outdir ?? '', `bundle-${basename(file, '.ts')}`);
  bundle(file, directory);
  return Code.fromAsset(directory);
}

/** Bundles a handler file into the ES module `index.mjs`, with its source map beside it. */
export function bundle(file: string, directory: string): void {
  built ??= buildSync({ ...bundleOptions, entryPoints: bundledFiles(), entryNames: '[name]' }).outputFiles;
  const name = basename(file, '.ts');
  const files = built.filter(({ path }) => basename(path).startsWith(`${name}.mjs`));
  if (files.length === 0) throw new Error(`There is no ${file}: write the handler there.`);
  mkdirSync(directory, { recursive: true });
  for (const { path, contents } of files) {
    writeFileSync(join(directory, basename(path).replace(name, 'index')), contents);
  }
}
