import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synthesize } from '../infra/local/reload/synthesize.ts';
import { openApiDocument } from '../infra/reference/document.ts';
import { referencePage } from '../infra/reference/page.ts';
import { defaultStage } from '../infra/settings/default-address.ts';
import { stackName } from '../infra/settings/stage-names.ts';
import project from '../package.json' with { type: 'json' };
import { stringifyJson } from '../shared/contract/json.ts';
import { createCommand, fail } from './cli/create-command.ts';
import { packageReadme } from './client/package-readme.ts';
import { buildSandbox, licensesOf } from './sandbox/build-sandbox.ts';
import { packAssembly } from './sandbox/pack-assembly.ts';
import { placeholders } from './sandbox/packed-reference.ts';

const { output, assembly } = createCommand(
  'npm run sandbox --',
  'Builds an npm package of the service for partners, to test their clients against without AWS.',
)
  .option('--output <directory>', 'existing directory to write the package to', '.')
  .option('--assembly <directory>', 'pack a cloud assembly, such as cdk.out, instead of the sources')
  .parse()
  .opts<{ output: string; assembly?: string }>();

const { npm_execpath: npm } = process.env;
if (npm === undefined) throw new Error('Run this command as npm run sandbox.');

const directory = mkdtempSync(join(tmpdir(), 'pet-store-sandbox-'));
process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
const inPackage = (path: string) => join(directory, 'package', path);

async function packReference(): Promise<void> {
  const { baseUrl, apiKey } = placeholders;
  mkdirSync(inPackage('reference'));
  writeFileSync(inPackage('reference/index.html'), await referencePage({ baseUrl }, apiKey));
  writeFileSync(inPackage('reference/openapi.json'), stringifyJson(openApiDocument({ baseUrl }), 2));
}

try {
  if (assembly === undefined) await synthesize(defaultStage, directory);
  packAssembly(stackName(defaultStage), assembly ?? directory, inPackage('assembly'));
  await packReference();
  const bundled = await buildSandbox(inPackage('lib'));
  const ofFunctions = Object.keys(project.dependencies);
  const packages = new Set([...bundled, ...ofFunctions, '@scalar/fastify-api-reference']);
  writeFileSync(inPackage('THIRD-PARTY-LICENSES'), licensesOf([...packages].toSorted()));

  const { version, license } = project;
  const manifest = {
    name: 'pet-store-sandbox',
    version,
    description: 'The Pet Store API on your machine, to test clients against',
    license,
    type: 'module',
    engines: { node: '>=24' },
    bin: 'lib/start.mjs',
    // For `node node_modules/pet-store-sandbox`, which works on each system.
    main: 'lib/start.mjs',
  };
  writeFileSync(inPackage('package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  copyFileSync('LICENSE', inPackage('LICENSE'));
  writeFileSync(inPackage('README.md'), packageReadme(readFileSync('docs/sandbox.md', 'utf8')));
  execFileSync(process.execPath, [npm, 'pack', '--silent', inPackage(''), '--pack-destination', output], {
    stdio: 'inherit',
  });
} catch (error) {
  fail(error);
}
