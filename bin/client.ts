import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import project from '../package.json' with { type: 'json' };
import client from '../shared/client/package.json' with { type: 'json' };
import { createCommand } from './cli/create-command.ts';
import { declarationsOf } from './client/declarations.ts';
import { packageReadme } from './client/package-readme.ts';
import { packageVersion } from './client/package-version.ts';

const { output, release, types } = createCommand(
  'npm run client --',
  'Builds an npm package of the TypeScript client.',
)
  .option('--output <directory>', 'existing directory to write the package to', '.')
  .option('--types <file>', 'also write the types of the client to this file, such as docs/client.d.ts')
  .option('--release', 'leave the commit out of the version', false)
  .parse()
  .opts<{ output: string; release: boolean; types?: string }>();

const { npm_execpath: npm } = process.env;
if (npm === undefined) throw new Error('Run this command as npm run client.');

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
  'shared/client/pet-store-client.ts',
);
if (types !== undefined) writeFileSync(types, declarationsOf(directory, 'client/pet-store-client.d.ts'));

const version = packageVersion(client.version, release);
const dependencies = { valibot: `^${project.dependencies.valibot}` };
const manifest = JSON.stringify({ ...client, version, dependencies }, null, 2);
writeFileSync(join(directory, 'package.json'), `${manifest}\n`);
copyFileSync('LICENSE', join(directory, 'LICENSE'));
copyFileSync('shared/client/CHANGELOG.md', join(directory, 'CHANGELOG.md'));
writeFileSync(join(directory, 'README.md'), packageReadme(readme(), version));
writeFileSync(join(directory, 'client/version.js'), `export const version = '${version}';\n`);
run(npm, 'pack', '--silent', directory, '--pack-destination', output);

/** Returns the page's section about this client, without those about Python and generated clients. */
function readme(): string {
  const sections = readFileSync('docs/client.md', 'utf8').split(/^## /m);
  const section = sections.find((text) => text.startsWith('TypeScript\n'));
  if (section === undefined) throw new Error('docs/client.md has no section "TypeScript".');
  return `# Pet Store client for ${section}`;
}
