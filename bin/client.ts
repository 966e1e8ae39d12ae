import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Option } from 'commander';
import { clientPackage } from '../infra/settings/client-package.ts';
import project from '../package.json' with { type: 'json' };
import { createCommand } from './cli/create-command.ts';
import { packageReadme } from './client/package-readme.ts';

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
  name: clientPackage,
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
writeFileSync(join(directory, 'README.md'), readme());
writeFileSync(join(directory, 'client/version.js'), `export const version = '${version}';\n`);
run(npm, 'pack', '--silent', directory, '--pack-destination', out);

/** Returns the page's section about this client, without those about Python and generated clients. */
function readme(): string {
  const sections = readFileSync('docs/client.md', 'utf8').split(/^## /m);
  const section = sections.find((text) => text.startsWith('TypeScript\n'));
  if (section === undefined) throw new Error('docs/client.md has no section "TypeScript".');
  return packageReadme(`# Pet Store client for ${section}`);
}
