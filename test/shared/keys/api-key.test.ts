import { expect, it } from 'vitest';
import { apiKeyHash, generateApiKey, hasValidChecksum, keyIdOf } from '../../../shared/keys/api-key.ts';

// Without the name of the service, on which the checksum depends.
const knownKey = '0_staging_0123456789ABCDEFGHIJKLMNOPQRSTUV05vqsd';

it('generateApiKey returns unique keys of the stage, using all characters', () => {
  const keys = Array.from({ length: 500 }, () => generateApiKey('petstore_production_'));

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
  expect(keyHash).toBe('ccb0bad53f6210b89e2f76a1440a2243c31b13a5d83aa86139065952017188a5');
  expect(keyIdOf(keyHash)).toBe('ccb0bad53f62');
});
