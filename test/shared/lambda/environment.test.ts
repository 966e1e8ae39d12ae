import { afterEach, describe, expect, it, vi } from 'vitest';
import { environmentVariable } from '../../../shared/lambda/environment.ts';

describe('environmentVariable', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it('gives the value of a variable', () => {
    vi.stubEnv('COLOUR', 'blue');

    expect(environmentVariable('COLOUR')).toBe('blue');
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
