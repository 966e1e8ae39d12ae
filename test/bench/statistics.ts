/**
 * The smallest value that a share of the values do not exceed, by the nearest rank.
 *
 * @throws {RangeError} when there are no values
 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.max(Math.ceil(sorted.length * share), 1) - 1];
  if (value === undefined) throw new RangeError('There are no values.');
  return value;
}

/** The average. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The value in the middle, or the mean of the two there. */
export function median(values: readonly number[]): number {
  const reversed = values.map((value) => -value);
  return (percentile(values, 0.5) - percentile(reversed, 0.5)) / 2;
}
