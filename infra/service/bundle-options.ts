import { globSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, sep } from 'node:path';
import type { BuildOptions } from 'esbuild';
import { nodeMajor } from '../node-version.ts';
import { projectRoot } from '../project-root.ts';

/** Built-in modules as values: an `import` loads all their exports, which adds 15 ms to init. */
const builtinValues = Object.fromEntries(
  builtinModules.map((name) => [
    `node:${name}`,
    `data:text/javascript,module.exports = process.getBuiltinModule('${name}')`,
  ]),
);

/** What takes the place of SDK modules that no function uses, but every bundle would load. */
const replaced = {
  '@aws-sdk/credential-provider-node': join(
    projectRoot,
    'infra/service/in-bundles/environment-credentials.ts',
  ),
  '@smithy/core/event-streams': join(projectRoot, 'infra/service/in-bundles/event-streams.ts'),
  // Browser detection.
  bowser: 'data:text/javascript,',
};

/** Returns the files that are bundled, each by itself, relative to the project's root. */
export const bundledFiles = (): string[] =>
  globSync(['functions/*.ts', 'infra/release/release-check.ts'], { cwd: projectRoot }).map((file) =>
    file.replaceAll(sep, '/'),
  );

/** How esbuild bundles handlers, both for deploys and for the local API. */
export const bundleOptions = {
  absWorkingDir: projectRoot,
  inject: ['infra/service/in-bundles/stack-traces.ts'],
  // Source maps are relative to it, wherever a bundle is written.
  outdir: projectRoot,
  write: false,
  logLevel: 'warning',
  // Such as `v.objekt`: it would be called as `(void 0)`.
  logOverride: { 'import-is-undefined': 'error' },
  outExtension: { '.js': '.mjs' },
  // CommonJS packages require built-in modules. It is created on demand, because that takes a millisecond.
  banner: { js: 'const require=id=>process.getBuiltinModule("module").createRequire(import.meta.url)(id);' },
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'esm',
  target: `node${nodeMajor}`,
  // Prefer ES modules: unused parts of CommonJS modules can't be left out.
  mainFields: ['module', 'main'],
  // Only the release check uses them, from the SDK in Lambda's runtime.
  external: ['@aws-sdk/client-codedeploy', '@aws-sdk/client-lambda'],
  alias: { ...builtinValues, ...replaced },
  sourcemap: 'external',
  sourcesContent: false,
} satisfies BuildOptions;
