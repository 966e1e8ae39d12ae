import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Stage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { buildSync } from 'esbuild';

const functions = fileURLToPath(new URL('../functions', import.meta.url));

/** The folders of the bundles that this process has made: the stacks of an app share them. */
const made = new Set<string>();

/**
 * Bundles a function, `entry` being its file below `functions/`, into ES modules of which only what runs is loaded.
 * The `module` field before `main` takes the AWS SDK as ES modules, which can be shaken, not as CommonJS.
 */
export function bundle(scope: Construct, entry: string): Code {
  const outdir = join(Stage.of(scope)?.outdir ?? '', `bundle-${entry}`);
  if (!made.has(outdir)) {
    made.add(outdir);
    rmSync(outdir, { recursive: true, force: true });
    buildSync({
      absWorkingDir: functions,
      entryPoints: { index: `${entry}.ts` },
      outdir,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      minify: true,
      platform: 'node',
      format: 'esm',
      target: 'node24',
      mainFields: ['module', 'main'],
      logLevel: 'warning',
    });
  }
  return Code.fromAsset(outdir);
}
