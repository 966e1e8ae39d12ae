import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Stage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { buildSync, type OutputFile } from 'esbuild';

const project = fileURLToPath(new URL('../..', import.meta.url));

/**
 * An `import` of a built-in module loads all that it exports, even what Node keeps for when it is asked for: node:http
 * brings all of fetch. A bundle takes built-in modules as values instead, which saves 15 ms of init.
 */
const builtinValues = Object.fromEntries(
  builtinModules.map((name) => [
    `node:${name}`,
    `data:text/javascript,module.exports = process.getBuiltinModule('${name}')`,
  ]),
);

const nothing = 'data:text/javascript,';

/** What of the SDK no function runs, but each would load or carry. */
const leftOut = {
  // Credentials are those of the environment: the client says so, and the SDK still imports what searches other places.
  '@aws-sdk/credential-provider-node': `${nothing}export const defaultProvider = undefined`,
  // DynamoDB has no event streams, and their checksums bring node:zlib.
  '@smithy/core/event-streams': nothing,
  // It tells browsers apart.
  bowser: nothing,
};

/** In a context of the CDK app: functions run from their sources, for a debugger, once it is clear that they compile. */
export const runsSources = 'pet-store:runs-sources';

const handlers = readdirSync(join(project, 'functions')).filter((file) => file.endsWith('.ts'));

/** What the files of all handlers become, by path: they are bundled together, and once a process, as they share the SDK. */
let bundles: readonly OutputFile[] | undefined;

/** The code of a function, `entry` being its file below `functions/`. */
export function codeOf(scope: Construct, entry: string): Code {
  const directory = join(Stage.of(scope)?.outdir ?? '', `bundle-${entry}`);
  bundles ??= build(handlers.map((file) => join('functions', file)));
  write(bundles, entry, directory);
  if (scope.node.tryGetContext(runsSources) === true) {
    const source = pathToFileURL(join(project, 'functions', `${entry}.ts`));
    writeFileSync(join(directory, 'index.mjs'), `export * from '${source}';\n`);
  }
  return Code.fromAsset(directory);
}

/** Bundles the handler of a file, named from the project's root, into an ES module and its source map. */
export function bundle(file: string, directory: string): void {
  write(build([file]), basename(file, '.ts'), directory);
}

function build(files: readonly string[]): readonly OutputFile[] {
  return buildSync({
    absWorkingDir: project,
    entryPoints: Object.fromEntries(files.map((file) => [basename(file, '.ts'), file])),
    inject: ['shared/lambda/stack-traces.ts'],
    // Source maps are relative to it: the same bundle has the same map wherever it is written.
    outdir: project,
    write: false,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    // ES modules before CommonJS: of those, what is not used is left out.
    mainFields: ['module', 'main'],
    alias: { ...builtinValues, ...leftOut },
    sourcemap: 'external',
    sourcesContent: false,
    logLevel: 'warning',
  }).outputFiles;
}

/** Writes the bundle of a handler as `index.mjs`, with its source map beside it. */
function write(files: readonly OutputFile[], name: string, directory: string): void {
  mkdirSync(directory, { recursive: true });
  for (const { path, contents } of files) {
    const [file = '', ...extensions] = basename(path).split('.');
    if (file === name) writeFileSync(join(directory, ['index', ...extensions].join('.')), contents);
  }
}
