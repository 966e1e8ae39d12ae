import { cpSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { projectRoot } from '../../infra/project-root.ts';
import { bundleOptions } from '../../infra/service/bundle-options.ts';

/** Parts that the sandbox does not use: tables on disk, which need native code. */
const leftOut = { level: 'data:text/javascript,module.exports = {}' };

/** Writes the bundles of the sandbox to a directory, and returns the packages that they contain. */
export async function buildSandbox(directory: string): Promise<string[]> {
  const { metafile } = await build({
    ...bundleOptions,
    inject: [],
    entryPoints: ['bin/sandbox/run.ts', 'bin/local-api/lambda/runtime.ts'],
    entryNames: '[name]',
    outdir: directory,
    write: true,
    sourcemap: false,
    metafile: true,
    alias: { ...bundleOptions.alias, ...leftOut },
    // For packages that are CommonJS.
    banner: {
      js: "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);",
    },
  });
  cpSync(join(projectRoot, 'bin/sandbox/start.mjs'), join(directory, 'start.mjs'));
  const packages = Object.keys(metafile.inputs).flatMap(
    (path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [],
  );
  return [...new Set(packages)].toSorted();
}

/** Returns the licenses of packages, which a copy of them must contain. */
export function licensesOf(packages: readonly string[]): string {
  return packages
    .map((name) => {
      const directory = join(projectRoot, 'node_modules', name);
      const { version, license } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
      const texts = globSync('{LICEN[CS]E,licen[cs]e,NOTICE}*', { cwd: directory }).map((file) =>
        readFileSync(join(directory, file), 'utf8').trim(),
      );
      return [`${name} ${version} (${license})`, ...texts].join('\n\n');
    })
    .join(`\n\n${'-'.repeat(80)}\n\n`);
}
