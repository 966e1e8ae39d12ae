import { expect, it } from 'vitest';
import { maxAttempts, timeLimits } from '../../../shared/lambda/time-limits.ts';

/** The longest pauses of the SDK between three attempts, in milliseconds: it doubles 25, and takes a part of it. */
const pauses = 25 + 50;
/** The same where DynamoDB throttles, at once. */
const throttlingPauses = 1000 + 2000;

it('the time limits leave time for what each is a part of', () => {
  const { connection, silence, call, response, function: invocation, integration } = timeLimits;

  expect(maxAttempts).toBe(3);
  expect(Math.max(connection, silence) * maxAttempts + pauses).toBeLessThan(call);
  expect(throttlingPauses).toBeLessThan(call);
  expect(call).toBeLessThan(invocation - response);
  expect(invocation).toBeLessThan(integration);
});
