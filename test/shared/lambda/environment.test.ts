import { afterEach, expect, it, vi } from 'vitest';
import { environmentVariable } from '../../../shared/lambda/environment.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

it.each([undefined, ''])('a variable that is %j is named in the error', (value) => {
  vi.stubEnv('COLOUR', value);

  expect(() => environmentVariable('COLOUR')).toThrow(
    new Error('The environment variable COLOUR is not set.'),
  );
});
