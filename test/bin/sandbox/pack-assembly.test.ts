import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { project } from '../../../bin/local/project.ts';
import { packAssembly } from '../../../bin/sandbox/pack-assembly.ts';
import { readAssembly } from '../../../infra/local/template/assembly.ts';
import { readDeployment } from '../../../infra/local/template/deployment.ts';
import { temporaryDirectory } from '../../support/e2e/temporary-file.ts';
import { everySetting } from '../../support/infra/stage-settings.ts';
import { synthesize } from '../../support/infra/synthesize.ts';

const stack = synthesize('production', { settings: everySetting, release: { commit: '0a1b' } });
afterAll(stack.dispose);
const packed = temporaryDirectory();
packAssembly(stack.name, stack.directory, packed);

it('a packed assembly serves the same as the original', () => {
  const { notEmulated, ...deployment } = readDeployment(stack, project);
  const inPackage = deployment.functions.map((spec) => ({
    ...spec,
    codeDirectory: spec.codeDirectory.replace(stack.directory, packed),
  }));

  expect(readDeployment(readAssembly(packed, stack.name), project)).toMatchObject({
    ...deployment,
    functions: inPackage,
  });
});

it.each([
  ['the account', '111111111111'],
  ['who is notified', 'team@pets.example'],
  ['the pager', '"pager"'],
  ['the runbook', 'https://pets.example/runbook'],
])('a packed assembly does not name %s', (_title, value) => {
  const files = ['manifest.json', `${stack.name}.template.json`];
  const text = (directory: string) => files.map((file) => readFileSync(join(directory, file), 'utf8')).join();

  expect(text(packed)).not.toContain(value);
  expect(text(stack.directory)).toContain(value.replaceAll('"', ''));
});
