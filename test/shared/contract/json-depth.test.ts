import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isNestedDeeperThan } from '../../../shared/contract/json.ts';

/** How deep a value is nested. */
const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map((member) => depthOf(member)))
    : 0;

describe('isNestedDeeperThan', () => {
  it('agrees with the nesting of any JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(7), (value, limit) => {
        expect(isNestedDeeperThan(limit, JSON.stringify(value, null, 1))).toBe(depthOf(value) > limit);
      }),
    );
  });

  it.each(['"[[[["', '"\\"[[[["', '"\\\\\\"[[[["', '{"[[[[":"]]]]"}', '[{}[]{}[]]'])(
    'ignores brackets that are closed or in a string in %s',
    (text) => {
      expect(isNestedDeeperThan(2, text)).toBe(false);
    },
  );

  it.each(['[[[[', '"\\\\"[[[[', '{"a":[{"b":['])('counts brackets that are never closed in %s', (text) => {
    expect(isNestedDeeperThan(3, text)).toBe(true);
  });
});
