import { expect, it, vi } from 'vitest';
import { environmentVariable } from '../../../shared/lambda/environment.ts';

it.each([undefined, ''])('environmentVariable rejects a variable that is %j', (value) => {
  vi.stubEnv('COLOUR', value);

  expect(() => environmentVariable('COLOUR')).toThrow(
    new Error('The environment variable COLOUR is not set.'),
  );
});
