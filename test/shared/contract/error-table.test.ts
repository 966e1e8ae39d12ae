import { expect, it } from 'vitest';
import { errorTable } from '../../../shared/contract/error-table.ts';

// API Gateway replaces what follows a dollar sign in a template.
it.each(Object.entries(errorTable))('the message of %s is a sentence without $', (_code, { message }) => {
  expect(message).toMatch(/^[A-Z][^$]+\.$/);
});
