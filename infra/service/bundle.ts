import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Stage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { buildSync, type OutputFile } from 'esbuild';
import { bundleOptions } from './bundle-options.ts';

/** The output for each file: each is built once per process, for all stages. */
const bundles = new Map<string, readonly OutputFile[]>();

/** Returns the code of a function whose handler is in a file, relative to the project root. */
export function codeOf(scope: Construct, file: string): Code {
  const directory = join(Stage.of(scope)?.outdir ?? '', `bundle-${basename(file, '.ts')}`);
  bundle(file, directory);
  return Code.fromAsset(directory);
}

/** Bundles a handler file into the ES module `index.mjs`, with its source map beside it. */
export function bundle(file: string, directory: string): void {
  const files =
    bundles.get(file) ?? buildSync({ ...bundleOptions, entryPoints: { index: file } }).outputFiles;
  bundles.set(file, files);
  mkdirSync(directory, { recursive: true });
  for (const { path, contents } of files) writeFileSync(join(directory, basename(path)), contents);
}
