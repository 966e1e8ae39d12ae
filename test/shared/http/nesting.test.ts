import { expect, it } from 'vitest';
import { isNestedDeeperThan } from '../../../shared/http/nesting.ts';

it.each([
  ['"[[[["', false],
  ['"\\\\\\"[[[["', false],
  ['{"[[[[":"]]]]"}', false],
  ['[{}[]{}[]]', false],
  ['[[[[', true],
  ['"\\\\"[[[[', true],
  ['{"a":[{"b":[', true],
])('isNestedDeeperThan counts open brackets outside strings: %s', (text, isDeeper) => {
  expect(isNestedDeeperThan(3, text)).toBe(isDeeper);
});
