import { readFileSync } from 'node:fs';
import { compileFunction } from 'node:vm';
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

/** What stages.ts imports, by name. */
async function importedNames(): Promise<Readonly<Record<string, unknown>>> {
  const names: Record<string, unknown> = {};
  const text = readFileSync('infra/settings/stages.ts', 'utf8');
  for (const [, list = '', from = ''] of text.matchAll(/^import \{([^}]+)\} from '([^']+)';$/gm)) {
    const module = await import(from.startsWith('.') ? `../../../infra/settings/${from}` : from);
    for (const name of list.match(/\w+(?=\s*(,|$))/g) ?? []) names[name] = module[name];
  }
  return names;
}

it('what the documents set can be deployed, all together or as a stage', async () => {
  const names = await importedNames();
  const stagesOf = documents.flatMap((document) => document.stages).join('');
  const settingsOf = documents.flatMap((document) => document.settings.map((text) => `{ ${text} }`));
  const text = `return { stages: { ${stagesOf} }, settings: [ ${settingsOf} ] };`;

  const { settings, stages }: Documented = compileFunction(text, Object.keys(names))(...Object.values(names));
  const all = Object.assign({ ...leastSettings }, ...settings);
  const [, stage = ''] = /PetStore-(\w+)-restored/.exec(JSON.stringify(all.restoredTables)) ?? [];

  expect(Object.keys(stages)).not.toEqual([]);
  // It checks every setting.
  petStoreApp({ [stage]: all, ...stages }, { outdir: temporaryDirectory(), release: { commit: '0a1b' } });
});
