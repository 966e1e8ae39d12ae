import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/support/e2e/temporary-file.ts';
import { everySetting } from '../../../test/support/infra/stage-settings.ts';
import { productionRelease } from '../../../test/support/infra/synthesize.ts';
import { project } from '../../local/this-project.ts';
import { readDeployment } from '../../local-api/template/deployment.ts';
import { packDeployment } from '../pack-deployment.ts';
import { deploymentFile, packedDeployment } from '../packed-deployment.ts';

const stack = productionRelease(everySetting);
const packed = temporaryDirectory();
packDeployment(stack, packed);

it('a packed deployment is that of the stack, with the code of its functions', () => {
  const deployment = readDeployment(stack, project);
  const functions = deployment.functions.map((spec) => ({
    ...spec,
    codeDirectory: spec.codeDirectory.replace(stack.directory, packed),
  }));

  expect(packedDeployment(packed)).toEqual({ ...deployment, functions });
  for (const { codeDirectory } of functions) expect(existsSync(join(codeDirectory, 'index.mjs'))).toBe(true);
});

it.each([
  ['the account', '111111111111'],
  ['who is notified', 'team@pets.example'],
  ['the runbook', 'https://pets.example/runbook'],
  ['an alarm', 'Alarm'],
  ['a rule of the web ACL', 'RequestsPerAddress'],
  ['the role of a release', 'codedeploy'],
])('a packed deployment does not name %s', (_title, value) => {
  const names = (...path: [string, string]) => readFileSync(join(...path), 'latin1').includes(value);

  expect(names(stack.directory, `${stack.name}.template.json`)).toBe(true);
  expect(names(packed, deploymentFile)).toBe(false);
});
