import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './npm.ts';

/** Packs the sandbox from an assembly, and installs the package in a directory, offline. */
export async function installSandbox(directory: string, assembly: string) {
  await npm(['run', 'sandbox', '--', '--assembly', assembly, '--output', directory]);
  const [tarball = ''] = readdirSync(directory);
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
  await npm(['install', '--offline', '--ignore-scripts', tarball], { cwd: directory });
  const installed = join(directory, 'node_modules', 'pet-store-sandbox');
  return { tarball: join(directory, tarball), installed, command: join(installed, 'lib', 'start.mjs') };
}
