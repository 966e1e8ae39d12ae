import { expect, it } from 'vitest';
import { type OperationSettings, operationSettingsOf } from '../../../infra/settings/operation-settings.ts';

const throttling = { rateLimit: 1, burstLimit: 1 };

it('an operation has its own settings', () => {
  const settings = { throttling, tables: {} };

  expect(operationSettingsOf('getPet', { getPet: settings })).toEqual(settings);
});

it.each<[string, { getPet?: Partial<OperationSettings> }]>([
  ['no settings', {}],
  ['no limits', { getPet: { tables: {} } }],
  ['no tables', { getPet: { throttling } }],
])('an operation with %s is named, with the file to edit', (_title, settings) => {
  expect(() => operationSettingsOf('getPet', settings)).toThrow(
    'Add throttling and tables of getPet to operationSettings in infra/settings/operation-settings.ts.',
  );
});
