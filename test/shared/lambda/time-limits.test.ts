import { expect, it } from 'vitest';
import { timeLimits } from '../../../shared/lambda/time-limits.ts';
import { maxAttempts } from '../../../shared/tables/dynamodb.ts';

/** The SDK's longest pauses between attempts, in milliseconds: the first one doubles each time. */
const pausesFrom = (first: number) => first * (2 ** (maxAttempts - 1) - 1);

it('the time limits nest: attempts, call, invocation', () => {
  const { silence, call, response, function: invocation } = timeLimits;

  expect(silence * maxAttempts + pausesFrom(25)).toBeLessThan(call);
  // While DynamoDB throttles.
  expect(pausesFrom(1000)).toBeLessThan(call);
  expect(call).toBeLessThan(invocation - response);
});
