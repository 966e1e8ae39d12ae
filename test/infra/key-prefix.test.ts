import { expect, it } from 'vitest';
import { stageOfKey } from '../../infra/key-prefix.ts';
import { generateApiKey } from '../../shared/keys/api-key.ts';

it('stageOfKey returns the stage of a key, and undefined for other text', () => {
  const key = generateApiKey('petstore_production_');

  expect(stageOfKey(key)).toBe('production');
  for (const text of [`${key}0`, key.slice(0, -1), ` ${key}`]) {
    expect(stageOfKey(text)).toBeUndefined();
  }
});
