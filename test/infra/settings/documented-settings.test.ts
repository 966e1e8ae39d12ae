import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { petStoreApp } from '../../../infra/pet-store-app.ts';
import type { StageSettings } from '../../../infra/settings/stages.ts';
import { temporaryDirectory } from '../../support/e2e/temporary-file.ts';
import { settingsIn } from '../../support/infra/documented-settings.ts';
import { leastSettings } from '../../support/infra/stage-settings.ts';
import { ProjectCopy } from '../../support/local/project-copy.ts';

interface Documented {
  readonly settings: readonly Partial<StageSettings>[];
  readonly stages: Readonly<Record<string, StageSettings>>;
}

const outdir = temporaryDirectory();
const documents = ['docs/deploying.md', 'docs/before-you-rely-on-it.md', 'docs/restore.md'].map(settingsIn);
const snippets = documents.flatMap(({ settings }) => settings);

/** What the documents say, as code with only the imports of stages.ts. */
const source = `${readFileSync('infra/settings/stages.ts', 'utf8')
  .match(/^import [^;]+;$/gm)
  ?.join('\n')}
import type { StageSettings } from './stages.ts';
export const stages: Readonly<Record<string, StageSettings>> = { ${documents.flatMap(({ stages }) => stages).join('')} };
export const settings: readonly Partial<StageSettings>[] = [ ${snippets.map((snippet) => `{ ${snippet} }`)} ];
`;

const copy = new ProjectCopy();
afterAll(() => copy.remove());
const file = 'infra/settings/documented.ts';
writeFileSync(copy.path(file), source);
writeFileSync(
  copy.path('documented.json'),
  JSON.stringify({
    extends: './tsconfig.json',
    compilerOptions: { noUnusedLocals: false },
    include: [file],
  }),
);

it('the settings of the documents compile with the imports of stages.ts', () => {
  const args = ['node_modules/typescript/bin/tsc', '--project', 'documented.json'];

  const { stdout } = spawnSync(process.execPath, args, { cwd: copy.directory, encoding: 'utf8' });

  expect(snippets).not.toEqual([]);
  expect(stdout).toBe('');
});

it('the settings of the documents can be synthesized, all together or as a stage', async () => {
  const { settings, stages }: Documented = await import(pathToFileURL(copy.path(file)).href);
  const all = Object.assign({ ...leastSettings }, ...settings);
  const [, stage = ''] = /PetStore-(\w+)-restored/.exec(all.restoredTables.pets) ?? [];

  const release = { commit: '0a1b' };
  const app = petStoreApp(
    { [stage]: all, ...stages },
    { outdir, release, builtinCloudFormationValidation: false },
  );

  // Each stage has an access stack.
  expect(app.synth().stacks).toHaveLength(2 * (1 + Object.keys(stages).length));
});
