import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { buildSync } from 'esbuild';

const functions = fileURLToPath(new URL('../functions', import.meta.url));

/** The bundles of this process; CDK copies them into its own output. */
const bundles = mkdtempSync(join(tmpdir(), 'pet-store-bundles-'));
process.once('exit', () => rmSync(bundles, { recursive: true, force: true }));

/**
 * Bundles a function, `entry` being its file below `functions/`, into ES modules of which only what runs is loaded.
 * The `module` field before `main` takes the AWS SDK as ES modules, which can be shaken, not as CommonJS.
 */
export function bundle(entry: string): Code {
  const outdir = join(bundles, entry);
  if (!existsSync(outdir)) {
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
