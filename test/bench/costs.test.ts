import { describe, expect, it } from 'vitest';
import { costOf } from './costs.ts';

const coldStart = {
  name: 'create-pet',
  build: 'deployed',
  init: 40,
  firstInvocation: 10,
  coldStart: 50,
  warmP50: 2,
  warmP99: 20,
  billedMs: 4,
  loadedAtStart: { files: 1, bytes: 28_000 },
  peakMemory: undefined,
} as const;

describe('costOf', () => {
  it('is what a million requests cost at the prices of each service', () => {
    const cost = costOf(coldStart, { readUnits: 2, writeUnits: 1, itemsRead: 2 }, 1, 512);

    // 0.5 GB for 4 ms, and 4 more of DynamoDB's, are 4,000 GB-seconds a million; a write is one of the table and one of
    // its index.
    expect(cost.writeUnits).toBe(2);
    expect(cost.lambdaUsd).toBeCloseTo(0.2 + 4000 * 0.000_013_333_4);
    expect(cost.dynamodbUsd).toBeCloseTo(2 * 0.125 + 2 * 0.625);
    expect(cost.apiUsd).toBeCloseTo(3.5);
  });

  it('has no request of the API for the authorizer, which is part of another', () => {
    const cost = costOf(
      { ...coldStart, name: 'authorizer' },
      { readUnits: 1, writeUnits: 0, itemsRead: 1 },
      1,
      512,
    );

    expect(cost.apiUsd).toBe(0);
  });
});
