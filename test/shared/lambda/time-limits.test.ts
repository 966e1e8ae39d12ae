import { expect, it, vi } from 'vitest';
import { maxAttempts } from '../../../shared/tables/dynamodb.ts';

const { timeLimits } = await vi.importActual<typeof import('../../../shared/lambda/time-limits.ts')>(
  '../../../shared/lambda/time-limits.ts',
);

/** The SDK's longest pauses between attempts, in milliseconds: the first one doubles each time. */
const pausesFrom = (first: number) => first * (2 ** (maxAttempts - 1) - 1);

it('the time limits nest: attempts, call, invocation', () => {
  const { silence, call, response, function: invocation } = timeLimits;

  expect(silence * maxAttempts + pausesFrom(25)).toBeLessThan(call);
  // While DynamoDB throttles.
  expect(pausesFrom(1000)).toBeLessThan(call);
  expect(call).toBeLessThan(invocation - response);
});
