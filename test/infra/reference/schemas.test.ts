import { expect, it } from 'vitest';
import { describeFields } from '../../../infra/reference/schemas.ts';

it.each([
  ['leaves a field that nobody described as it is', { type: 'integer' }, { type: 'integer' }],
  [
    'says in prose what an omitted field becomes',
    { type: 'string', description: 'Its size.', default: 'small' },
    { type: 'string', description: 'Its size. If omitted: `"small"`.' },
  ],
] as const)('%s', (_, field, described) => {
  expect(describeFields({ size: field })).toStrictEqual({ size: described });
});
