import { it } from 'vitest';
import { commonHeaders, expectError } from './expect-error.ts';

it('expectError accepts an error of a single service', () => {
  const isLent = { code: 'note_is_lent', status: 409, message: 'The note is lent.' };
  const headers = { ...commonHeaders, 'content-type': 'application/json' };

  expectError({ status: 409, headers, text: '', body: { ...isLent } }, 409, isLent);
});
