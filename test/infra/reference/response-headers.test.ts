import { expect, it } from 'vitest';
import { deprecatedResponse } from '../../../infra/reference/response-headers.ts';
import { removePart } from '../../support/contract/neutral-operations.ts';

it('the headers of a deprecated operation have no link without a successor', () => {
  const deprecation = { since: '2026-01-01T00:00:00Z', sunset: '2099-12-31T00:00:00Z' };

  expect(Object.keys(deprecatedResponse({ ...removePart, deprecation }))).toEqual(['Deprecation', 'Sunset']);
});
