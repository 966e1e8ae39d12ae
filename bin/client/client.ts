import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Operation } from '../../shared/contract/operation.ts';
import { description, errors, operations } from '../../shared/service.ts';
import { createCommand } from '../cli/create-command.ts';
import { packageVersion, writePackage } from '../cli/write-package.ts';
import { longDate } from '../reference/document.ts';
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
const emit =
  '--lib esnext --types node --skipLibCheck --declaration --emitDeclarationOnly --stripInternal --rootDir . --allowImportingTsExtensions --outDir';
if (!compiles([...emit.split(' '), compiled], `${entry}.ts`)) process.exit(1);

const version = packageVersion(client.version, release);
await build({
  entryPoints: [`${entry}.ts`],
  outfile: join(packed, 'index.cjs'),
  bundle: true,
  // What requires it, such as Jest, loads the same file as what imports it.
  format: 'cjs',
  // Names the exports, so that an import finds them.
  platform: 'node',
  target: 'es2023',
  define: { PACKAGE_VERSION: JSON.stringify(version) },
});
const types = withSunsets(declarationsOf(compiled, `${entry}.d.ts`, writtenTypes()));
writeFileSync(join(packed, 'index.d.cts'), types);
// The types of fetch are a browser's here, and Node's above.
const check = '--lib esnext,dom --skipDefaultLibCheck --noEmit';
if (!compiles(check.split(' '), join(packed, 'index.d.cts'))) process.exit(1);
copyFileSync('bin/client/package/CHANGELOG.md', join(packed, 'CHANGELOG.md'));
// The bundle has what it uses of it.
copyFileSync('node_modules/valibot/LICENSE.md', join(packed, 'LICENSE-valibot.md'));
writePackage(packed, { manifest: { ...client, version }, readme: readme(), output });

/** Whether the compiler accepts a file. It names each mistake. */
function compiles(options: readonly string[], file: string): boolean {
  const shared = '--ignoreConfig --module nodenext --target es2023 --strict'.split(' ');
  const tsc = ['node_modules/typescript/bin/tsc', ...shared, ...options, file];
  return spawnSync(process.execPath, tsc, { stdio: 'inherit' }).status === 0;
}

/** Returns the types that are read better than those which the compiler infers, with the texts of their fields. */
function writtenTypes() {
  const bodies = Object.values<Operation>(operations).map(({ body }) => body?.schema);
  const sent = typesOf(schemasOf('input'));
  const received = typesOf(schemasOf('output'));
  const named = Object.entries(description.schemas).map(([name, schema]) => {
    const types = bodies.includes(schema) ? sent : received;
    return [name, types[name] ?? ''] as const;
  });
  const codes = errors.map(({ code }) => `'${code}'`).join(' | ');
  return { ...Object.fromEntries(named), ErrorCode: `type ErrorCode = ${codes};` };
}

/** Names the date on which an operation will be removed, in the comment on its method. */
function withSunsets(text: string): string {
  return text.replaceAll(/at its sunset(?=\.\s+\*\/\s+(\w+)\()/g, (sunset, method: string) => {
    const operation = Object.values<Operation>(operations).find(({ operationId }) => operationId === method);
    return operation?.deprecation ? `on ${longDate(operation.deprecation.sunset)}` : sunset;
  });
}

/** Returns the page's section about this client, without those about Python and generated clients. */
function readme(): string {
  const sections = readFileSync('bin/client/README.md', 'utf8').split(/^## /m);
  const section = sections.find((text) => text.startsWith('TypeScript\n'));
  if (section === undefined) throw new Error('bin/client/README.md has no section "TypeScript".');
  return `# Pet Store client for ${section}`;
}
