import { expect, it } from 'vitest';
import { isEditorsFile } from '../../../../infra/local/reload/watch-sources.ts';

it.each([
  ['vim', 'infra/service/.tables.ts.swp', true],
  ['vim', 'infra/service/tables.ts~', true],
  ['Emacs', 'infra/service/.#tables.ts', true],
  ['Emacs', 'infra/service/#tables.ts#', true],
  ['nobody', 'infra/service/tables.ts', false],
  ['nobody', 'infra/service/3.json', false],
])('%s keeps %s beside a source: %s', (_editor, file, expected) => {
  expect(isEditorsFile(file)).toBe(expected);
});
