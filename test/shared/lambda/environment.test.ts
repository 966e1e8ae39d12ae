import { afterEach, describe, expect, it, vi } from 'vitest';
import { environmentVariable } from '../../../shared/lambda/environment.ts';

describe('environmentVariable', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it.each([
    ['missing', undefined],
    ['empty', ''],
  ])('names a variable that is %s', (_title, value) => {
    vi.stubEnv('COLOUR', value);

    expect(() => environmentVariable('COLOUR')).toThrow(
      new Error('The environment variable COLOUR is not set.'),
    );
  });
});
