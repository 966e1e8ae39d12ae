import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { petStoreApp } from '../../../infra/pet-store-app.ts';
import type { StageSettings } from '../../../infra/settings/stages.ts';
import { temporaryDirectory } from '../../support/e2e/temporary-file.ts';
import { settingsIn } from '../../support/infra/documented-settings.ts';
import { leastSettings } from '../../support/infra/stage-settings.ts';

interface Documented {
  readonly settings: readonly Partial<StageSettings>[];
  readonly stages: Readonly<Record<string, StageSettings>>;
}

const documents = ['docs/deploying.md', 'docs/before-you-rely-on-it.md', 'docs/restore.md'].map(settingsIn);

/** The imports of stages.ts, for a file elsewhere. */
const imports = readFileSync('infra/settings/stages.ts', 'utf8')
  .match(/^import [^;]+;$/gm)
  ?.join('\n')
  .replaceAll(/(?<= from ')[^']+/g, (name) => {
    const path = name.startsWith('.')
      ? resolve('infra/settings', name)
      : createRequire(import.meta.url).resolve(name);
    // The folder's name may have a quote.
    return pathToFileURL(path).href.replaceAll("'", '%27');
  });

it('what the documents set can be deployed, all together or as a stage', async () => {
  const directory = temporaryDirectory();
  const file = join(directory, 'documented.ts');
  writeFileSync(
    file,
    `${imports}
    export const stages = { ${documents.flatMap((document) => document.stages).join('')} };
    export const settings = [ ${documents.flatMap((document) => document.settings.map((text) => `{ ${text} }`))} ];`,
  );

  const { settings, stages }: Documented = await import(pathToFileURL(file).href);
  const all = Object.assign({ ...leastSettings }, ...settings);
  const [, stage = ''] = /PetStore-(\w+)-restored/.exec(JSON.stringify(all.restoredTables)) ?? [];

  expect(Object.keys(stages)).not.toEqual([]);
  // It checks every setting.
  petStoreApp({ [stage]: all, ...stages }, { outdir: directory, release: { commit: '0a1b' } });
});
