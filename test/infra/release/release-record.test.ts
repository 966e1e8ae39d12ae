import { expect, it } from 'vitest';
import { parseRecord, recordText } from '../../../infra/release/release-record.ts';

const record = {
  commit: '0a1b0a1b-dirty',
  template: '222222222222',
  tables: '333333333333',
  content: '444444444444',
  versions: { 'PetStore-production-ListPets-1A': '7', 'PetStore-production-Authorizer-2B': '12' },
};

it('parses what it writes', () => {
  expect(parseRecord(recordText(record))).toEqual(record);
});

it.each([
  '',
  'f00d;curl',
  '0a1b0a1b 222222222222 333333333333',
  '0a1b0a1b 222222222222 333333333333 other',
  '0a1b0a1b 222222222222 333333333333 444444444444 PetStore-ListPets',
  '0a1b0a1b 222222222222 333333333333 444444444444 PetStore-ListPets:$LATEST',
  '0a1b0a1b 222222222222 333333333333 444444444444 $(curl):7',
  '0a1b0a1b\n222222222222',
])('knows nothing of a release whose record is %j', (text) => {
  expect(parseRecord(text)).toEqual({ commit: 'unknown', versions: {} });
});
