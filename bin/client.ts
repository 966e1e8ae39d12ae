import { execFileSync } from 'node:child_process';
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import project from '../package.json' with { type: 'json' };
import { createCommand } from './cli/create-command.ts';

createCommand('npm run client', 'Builds an npm package of the TypeScript client, in client.out.')
  .configureHelp({ commandUsage: () => 'npm run client' })
  .parse();

const directory = 'client.out';
const entry = 'client/pet-store-client';

const { version, license, dependencies, devDependencies } = project;

rmSync(directory, { recursive: true, force: true });
execFileSync(
  process.execPath,
  [
    'node_modules/typescript/bin/tsc',
    ...['--ignoreConfig', '--declaration', '--rewriteRelativeImportExtensions'],
    ...['--module', 'nodenext', '--target', 'es2023', '--lib', 'esnext', '--types', 'node', '--strict'],
    ...['--rootDir', 'shared', '--outDir', directory, `shared/${entry}.ts`],
  ],
  { stdio: 'inherit' },
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
