import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import project from '../../package.json' with { type: 'json' };
import type { Operation } from '../../shared/contract/operation.ts';
import { description, errors, operations } from '../../shared/service.ts';
import { createCommand } from '../cli/create-command.ts';
import { packageVersion, writePackage } from '../cli/write-package.ts';
import { schemasOf } from '../reference/schemas.ts';
import { declarationsOf } from './pack/declarations.ts';
import { typesOf } from './pack/types-of.ts';
import client from './package/package.json' with { type: 'json' };

const { output, release } = createCommand(
  'npm run client --',
  'Builds an npm package of the TypeScript client.',
)
  .option('--output <directory>', 'existing directory to write the package to', '.')
  .option('--release', 'leave the commit out of the version', false)
  .parse()
  .opts<{ output: string; release: boolean }>();

const directory = mkdtempSync(join(tmpdir(), 'pet-store-client-'));
process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
const compiled = join(directory, 'compiled');
const packed = join(directory, 'package');
mkdirSync(packed);

const entry = 'bin/client/package/pet-store-client';
const emit = '--declaration --stripInternal --rewriteRelativeImportExtensions --rootDir . --outDir'.split(
  ' ',
);
if (!compiles(...emit, compiled, `${entry}.ts`)) process.exit(1);

const version = packageVersion(client.version, release);
writeFileSync(join(compiled, 'bin/cli/calls/version.js'), `export const version = '${version}';\n`);
await build({
  absWorkingDir: compiled,
  entryPoints: [`${entry}.js`],
  outfile: join(packed, 'index.js'),
  bundle: true,
  format: 'esm',
  packages: 'external',
});
const types = declarationsOf(compiled, `${entry}.d.ts`, writtenTypes());
writeFileSync(join(packed, 'index.d.ts'), types);
if (!compiles('--noEmit', join(packed, 'index.d.ts'))) process.exit(1);
// For TypeScript, this extension says that CommonJS can require the package.
writeFileSync(join(packed, 'index.d.cts'), types);
copyFileSync('bin/client/package/CHANGELOG.md', join(packed, 'CHANGELOG.md'));
const dependencies = { valibot: `^${project.dependencies.valibot}` };
writePackage(packed, { manifest: { ...client, version, dependencies }, readme: readme(), output });

/** Whether the compiler accepts a file. It names each mistake. */
function compiles(...args: readonly string[]): boolean {
  const options = '--ignoreConfig --module nodenext --target es2023 --lib esnext --types node --strict'.split(
    ' ',
  );
  const tsc = ['node_modules/typescript/bin/tsc', ...options, ...args];
  return spawnSync(process.execPath, tsc, { stdio: 'inherit' }).status === 0;
}

/** Returns the types that are read better than those which the compiler infers, with the texts of their fields. */
function writtenTypes() {
  const bodies = Object.values<Operation>(operations).map(({ body }) => body?.schema);
  const sent = typesOf(schemasOf('input'), false);
  const received = typesOf(schemasOf('output'), true);
  const named = Object.entries(description.schemas).map(([name, schema]) => {
    const types = bodies.includes(schema) ? sent : received;
    return [name, types[name] ?? ''] as const;
  });
  const codes = errors.map(({ code }) => `'${code}'`).join(' | ');
  return { ...Object.fromEntries(named), ErrorCode: `type ErrorCode = ${codes};` };
}

/** Returns the page's section about this client, without those about Python and generated clients. */
function readme(): string {
  const sections = readFileSync('bin/client/README.md', 'utf8').split(/^## /m);
  const section = sections.find((text) => text.startsWith('TypeScript\n'));
  if (section === undefined) throw new Error('bin/client/README.md has no section "TypeScript".');
  return `# Pet Store client for ${section}`;
}
