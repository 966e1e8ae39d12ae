import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from '../../../cli/test/support/npm.ts';

/** Packs the sandbox, from an assembly if there is one, and installs the package in a directory, offline. */
export async function installSandbox(directory: string, assembly?: string) {
  const from = assembly === undefined ? [] : ['--assembly', assembly];
  await npm(['run', 'sandbox', '--', ...from, '--output', directory]);
  const [tarball = ''] = readdirSync(directory);
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
  await npm(['install', '--offline', '--ignore-scripts', tarball], { cwd: directory });
  const installed = join(directory, 'node_modules/@pet-store/sandbox');
  return { tarball: join(directory, tarball), installed, command: join(installed, 'lib', 'start.mjs') };
}
