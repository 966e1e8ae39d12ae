import { afterEach, expect, it, vi } from 'vitest';
import { environmentVariable } from '../../../shared/lambda/environment.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

it.each([undefined, ''])('an environment variable that is %j is named', (value) => {
  vi.stubEnv('COLOUR', value);

  expect(() => environmentVariable('COLOUR')).toThrow(
    new Error('The environment variable COLOUR is not set.'),
  );
});
