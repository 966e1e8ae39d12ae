import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stackName } from '../../../infra/stack-names.ts';
import { temporaryDirectory } from '../../../test/support/e2e/temporary-file.ts';
import { defaultStage } from '../../cli/default-address.ts';
import { sourceBuilder } from '../../local-api/reload/build-sources.ts';
import { keepApp } from '../../local-api/synthesis/kept-app.ts';
import { standIns } from '../../local-api/synthesis/stand-ins.ts';
import { type RunApp, synthesize } from '../../local-api/synthesis/synthesize.ts';
import { project } from '../this-project.ts';

it('the stack of npm run dev is that of npm start, however often it is synthesized', async () => {
  const directory = temporaryDirectory();
  const bundles = standIns(project.bundledFiles(), directory);
  const { app } = await sourceBuilder(project, directory)([]);
  const run = keepApp(project)(app);
  const synthesizeTo = async (name: string, options: { readonly run?: RunApp } = {}) => {
    const output = join(directory, name);
    mkdirSync(output);
    await synthesize(project, { stage: defaultStage, bundles, directory: output, ...options });
    return readFileSync(join(output, `${stackName(defaultStage)}.template.json`), 'utf8');
  };

  const ofDev = [
    await synthesizeTo('1', { run }),
    await synthesizeTo('2', { run }),
    await synthesizeTo('3', { run }),
  ];

  const ofStart = await synthesizeTo('start');
  expect(ofDev).toEqual([ofStart, ofStart, ofStart]);
});
