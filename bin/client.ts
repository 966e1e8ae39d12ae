import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import project from '../package.json' with { type: 'json' };
import client from '../shared/client/package.json' with { type: 'json' };
import { createCommand } from './cli/create-command.ts';
import { packageVersion, writePackage } from './cli/write-package.ts';
import { declarationsOf } from './client/declarations.ts';

const { output, release, types } = createCommand(
  'npm run client --',
  'Builds an npm package of the TypeScript client.',
)
  .option('--output <directory>', 'existing directory to write the package to', '.')
  .option('--types <file>', 'also write the types of the client to this file, such as docs/client.d.ts')
  .option('--release', 'leave the commit out of the version', false)
  .parse()
  .opts<{ output: string; release: boolean; types?: string }>();

const directory = mkdtempSync(join(tmpdir(), 'pet-store-client-'));
process.once('exit', () => rmSync(directory, { recursive: true, force: true }));

const options =
  '--ignoreConfig --declaration --rewriteRelativeImportExtensions --module nodenext --target es2023 --lib esnext --types node --strict --rootDir shared';
const tsc = ['node_modules/typescript/bin/tsc', ...options.split(' '), '--outDir', directory];
const entry = 'shared/client/pet-store-client.ts';
const { status } = spawnSync(process.execPath, [...tsc, entry], { stdio: 'inherit' });
// The compiler has named each mistake.
if (status !== 0) process.exit(1);
if (types !== undefined) writeFileSync(types, declarationsOf(directory, 'client/pet-store-client.d.ts'));

copyFileSync('shared/client/CHANGELOG.md', join(directory, 'CHANGELOG.md'));
const version = packageVersion(client.version, release);
writeFileSync(join(directory, 'client/version.js'), `export const version = '${version}';\n`);
const dependencies = { valibot: `^${project.dependencies.valibot}` };
writePackage(directory, { manifest: { ...client, version, dependencies }, readme: readme(), output });

/** Returns the page's section about this client, without those about Python and generated clients. */
function readme(): string {
  const sections = readFileSync('docs/client.md', 'utf8').split(/^## /m);
  const section = sections.find((text) => text.startsWith('TypeScript\n'));
  if (section === undefined) throw new Error('docs/client.md has no section "TypeScript".');
  return `# Pet Store client for ${section}`;
}
