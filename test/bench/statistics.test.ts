import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mean, median, percentile } from './statistics.ts';

const numbers = fc.array(fc.integer(), { minLength: 1 });

describe('percentile', () => {
  it('is a value with at least that share of the values at or below it, and the smallest such', () => {
    fc.assert(
      fc.property(numbers, fc.integer({ min: 1, max: 100 }), (values, percent) => {
        const result = percentile(values, percent / 100);
        const atMost = (limit: number) => values.filter((value) => value <= limit).length * 100;

        expect(values).toContain(result);
        expect(atMost(result)).toBeGreaterThanOrEqual(values.length * percent);
        expect(atMost(result - 1)).toBeLessThan(values.length * percent);
      }),
    );
  });

  it('of nothing is an error', () => {
    expect(() => percentile([], 0.5)).toThrow(RangeError);
  });
});

describe('median', () => {
  it.each([
    [[3, 1, 2], 2],
    [[4, 1, 3, 2], 2.5],
    [[7], 7],
  ])('of %j is %d', (values, expected) => {
    expect(median(values)).toBe(expected);
  });
});

describe('mean', () => {
  it('of 1, 2 and 6 is 3', () => {
    expect(mean([1, 2, 6])).toBe(3);
  });
});
