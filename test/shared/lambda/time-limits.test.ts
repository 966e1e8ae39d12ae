import { expect, it } from 'vitest';
import { maxAttempts, timeLimits } from '../../../shared/lambda/time-limits.ts';

/** The SDK's longest pauses between three attempts, in milliseconds: 25, then doubled. */
const pauses = 25 + 50;
/** The same while DynamoDB throttles. */
const throttlingPauses = 1000 + 2000;

it('the time limits nest: attempts, call, invocation', () => {
  const { connection, silence, call, response, function: invocation } = timeLimits;

  expect(maxAttempts).toBe(3);
  expect(Math.max(connection, silence) * maxAttempts + pauses).toBeLessThan(call);
  expect(throttlingPauses).toBeLessThan(call);
  expect(call).toBeLessThan(invocation - response);
});
