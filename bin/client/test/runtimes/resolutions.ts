import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { npm } from '../../../cli/test/support/npm.ts';
import client from '../../package/package.json' with { type: 'json' };
import { runtimes } from './runtimes.ts';

// Compiles a program with the client's package, with each resolution of the last TypeScript that has node10, and runs
// it on Node, Bun and Deno.

const program = `import { PetStoreClient, PetStoreError } from '${client.name}';
const api = new PetStoreClient({ baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'x', retries: 0 });
// @ts-expect-error Otherwise its types would be any.
const wrong: Promise<string> = api.createPet({ name: 'Bella', categoryId: 1n });
wrong.catch((error) => console.log(error instanceof PetStoreError && error.code));
`;

const resolutions = [
  { file: 'node10.ts', module: 'commonjs', moduleResolution: 'node10' },
  { file: 'node16.cts', module: 'node16', moduleResolution: 'node16' },
  { file: 'node16.mts', module: 'node16', moduleResolution: 'node16' },
  { file: 'nodenext.cts', module: 'nodenext', moduleResolution: 'nodenext' },
  { file: 'bundler.mts', module: 'esnext', moduleResolution: 'bundler' },
];

const project = mkdtempSync(join(tmpdir(), 'pet-store-resolutions-'));
process.once('exit', () => rmSync(project, { recursive: true }));
await npm(['run', 'client', '--', '--output', project]);
const [tarball = ''] = readdirSync(project);
// As `npm init -y` writes it.
writeFileSync(join(project, 'package.json'), '{"type":"commonjs"}');
await npm(['install', '--offline', '--no-save', '--ignore-scripts', tarball], { cwd: project });

const tsc = resolve('bin/client/test/runtimes/node_modules/typescript/bin/tsc');
for (const { file, module, moduleResolution } of resolutions) {
  writeFileSync(join(project, file), program);
  const options = { module, moduleResolution, target: 'es2022', lib: 'esnext,dom' };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  execFileSync(process.execPath, [tsc, '--strict', ...args, file], { cwd: project, stdio: 'inherit' });
  const compiled = file.replace('ts', 'js');
  for (const [name, [command, ...before]] of Object.entries(runtimes)) {
    const output = execFileSync(command, [...before, compiled], { cwd: project, encoding: 'utf8' });
    if (output !== 'unreachable\n') throw new Error(`${compiled} printed ${output} on ${name}`);
  }
  console.log(`ok ${file}`);
}
