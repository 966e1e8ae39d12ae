import { expect, it } from 'vitest';
import {
  apiKeyHash,
  generateApiKey,
  hasValidChecksum,
  keyIdOf,
  stageOfApiKey,
} from '../../../shared/contract/api-key.ts';

const knownKey = 'petstore_staging_0123456789ABCDEFGHIJKLMNOPQRSTUV1SazK6';

it('generateApiKey returns unique keys of the stage, using all characters', () => {
  const keys = Array.from({ length: 500 }, () => generateApiKey('production'));

  for (const key of keys) {
    expect(key).toMatch(/^petstore_production_[0-9A-Za-z]{38}$/);
    expect(hasValidChecksum(key)).toBe(true);
  }
  expect(new Set(keys).size).toBe(500);
  expect(new Set(keys.flatMap((key) => [...key.slice(-38, -6)])).size).toBe(62);
});

it('a known key has a hash, a key id and a checksum bound to its stage', () => {
  expect(hasValidChecksum(knownKey)).toBe(true);
  expect(hasValidChecksum(knownKey.replace('staging', 'production'))).toBe(false);
  const keyHash = apiKeyHash(knownKey);
  expect(keyHash).toBe('41b5299dc8ba259b8cffe974ee8ec08d22e1fd2d92243c61156b1e42856ba780');
  expect(keyIdOf(keyHash)).toBe('41b5299dc8ba');
});

it('stageOfApiKey returns the stage of a key, and undefined for other text', () => {
  expect(stageOfApiKey(generateApiKey('production'))).toBe('production');
  for (const text of [`${knownKey}0`, knownKey.slice(0, -1), ` ${knownKey}`]) {
    expect(stageOfApiKey(text)).toBeUndefined();
  }
});
