import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Option } from 'commander';
import project from '../package.json' with { type: 'json' };
import { createCommand } from './cli/create-command.ts';

const { output, out = output } = createCommand(
  'npm run client --',
  'Builds an npm package of the TypeScript client.',
)
  .option('--output <directory>', 'existing directory to write the package to', '.')
  // Its name in release 1.0.0.
  .addOption(new Option('--out <directory>').hideHelp())
  .parse()
  .opts<{ output: string; out?: string }>();

const { npm_execpath: npm } = process.env;
if (npm === undefined) throw new Error('Run this command as npm run client.');

const entry = 'client/pet-store-client';
const { version, license, dependencies, devDependencies } = project;
const directory = mkdtempSync(join(tmpdir(), 'pet-store-client-'));
process.once('exit', () => rmSync(directory, { recursive: true, force: true }));

/** Runs a script with Node: Windows cannot start npm's commands without a shell. */
const run = (script: string, ...args: readonly string[]) =>
  execFileSync(process.execPath, [script, ...args], { stdio: 'inherit' });

run(
  'node_modules/typescript/bin/tsc',
  '--ignoreConfig',
  '--declaration',
  '--rewriteRelativeImportExtensions',
  '--module',
  'nodenext',
  '--target',
  'es2023',
  '--lib',
  'esnext',
  '--types',
  'node',
  '--strict',
  '--rootDir',
  'shared',
  '--outDir',
  directory,
  `shared/${entry}.ts`,
);
const manifest = {
  name: 'pet-store-client',
  version,
  description: 'A client for the Pet Store API',
  license,
  type: 'module',
  engines: { node: '>=22' },
  sideEffects: false,
  exports: { types: `./${entry}.d.ts`, default: `./${entry}.js` },
  dependencies: { ky: `^${devDependencies.ky}`, valibot: `^${dependencies.valibot}` },
};
writeFileSync(join(directory, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
copyFileSync('LICENSE', join(directory, 'LICENSE'));
copyFileSync('docs/client.md', join(directory, 'README.md'));
writeFileSync(join(directory, 'client/version.js'), `export const version = '${version}';\n`);
run(npm, 'pack', '--silent', directory, '--pack-destination', out);
