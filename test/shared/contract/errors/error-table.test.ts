import * as v from 'valibot';
import { expect, it } from 'vitest';
import { ErrorBody, errorTable } from '../../../../shared/contract/errors/error-table.ts';

// API Gateway replaces what follows a dollar sign in a template.
it.each(Object.entries(errorTable))('the message of %s is a sentence without $', (_code, { message }) => {
  expect(message).toMatch(/^[A-Z][^$]+\.$/);
});

it.each([
  { code: 'unknown', message: 'No.', status: 400 },
  { code: 'gone', message: 'No.', status: '410' },
  { code: 'gone', message: 'No.', status: 410, stack: 'at …' },
])('ErrorBody rejects %j', (body) => {
  expect(v.is(ErrorBody, body)).toBe(false);
});
