import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeMajor } from '../../infra/node-version.ts';
import { stages } from '../../infra/settings/stages.ts';
import { stackName } from '../../infra/stack-names.ts';
import project from '../../package.json' with { type: 'json' };
import { createCommand, fail } from '../cli/create-command.ts';
import { defaultStage } from '../cli/default-address.ts';
import { packageVersion, writePackage } from '../cli/write-package.ts';
import { project as liveProject } from '../local/this-project.ts';
import { synthesize } from '../local-api/synthesis/synthesize.ts';
import { readAssembly } from '../local-api/template/assembly.ts';
import { referenceFiles } from '../reference/reference-files.ts';
import { buildSandbox, licensesOf } from './build-sandbox.ts';
import { packDeployment } from './pack-deployment.ts';
import sandbox from './package.json' with { type: 'json' };
import { placeholders } from './packed-reference.ts';

const { output, assembly, release } = createCommand(
  'npm run sandbox --',
  'Builds an npm package of the service for partners, to test their clients against without AWS.',
)
  .option('--output <directory>', 'existing directory to write the package to', '.')
  .option('--assembly <directory>', 'pack a cloud assembly, such as cdk.out, instead of the sources')
  .option('--release', 'leave the commit out of the version', false)
  .parse()
  .opts<{ output: string; assembly?: string; release: boolean }>();

const directory = mkdtempSync(join(tmpdir(), 'pet-store-sandbox-'));
process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
const inPackage = (path: string) => join(directory, 'package', path);

function packReference(): void {
  const { baseUrl, apiKey } = placeholders;
  // What a partner asks before signing is said of production, which serves them later.
  const address = { ...stages.production, baseUrl };
  mkdirSync(inPackage('reference'));
  for (const [name, textFor] of Object.entries(referenceFiles)) {
    writeFileSync(inPackage(`reference/${name}`), textFor(address, apiKey));
  }
}

try {
  if (assembly === undefined) await synthesize(liveProject, { stage: defaultStage, directory });
  packDeployment(readAssembly(assembly ?? directory, stackName(defaultStage)), inPackage('deployment'));
  packReference();
  const bundled = await buildSandbox(inPackage('lib'));
  const ofFunctions = Object.keys(project.dependencies);
  const packages = new Set([...bundled, ...ofFunctions, '@scalar/fastify-api-reference']);
  writeFileSync(inPackage('THIRD-PARTY-LICENSES'), licensesOf([...packages].toSorted()));

  const engines = { node: `>=${nodeMajor}` };
  const manifest = { ...sandbox, engines, version: packageVersion(sandbox.version, release) };
  writePackage(inPackage(''), { manifest, readme: readFileSync('bin/sandbox/README.md', 'utf8'), output });
} catch (error) {
  fail(error);
}
