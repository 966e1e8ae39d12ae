import { describe, expect, it } from 'vitest';
import { maxAttempts, timeLimits } from '../../../shared/lambda/time-limits.ts';

const { connection, silence, call, response, integration } = timeLimits;

/** The longest pauses of the SDK between three attempts, in milliseconds: it doubles 25, and takes a part of it. */
const pauses = 25 + 50;
/** The same where DynamoDB throttles, at once. */
const throttlingPauses = 1000 + 2000;

describe('timeLimits', () => {
  it('leave every attempt its time within a call', () => {
    expect(maxAttempts).toBe(3);
    expect(Math.max(connection, silence) * maxAttempts + pauses).toBeLessThan(call);
    expect(throttlingPauses).toBeLessThan(call);
  });

  it('leave a handler time to respond after a call, and the function time before API Gateway gives it up', () => {
    expect(call).toBeLessThan(timeLimits.function - response);
    expect(timeLimits.function).toBeLessThan(integration);
  });
});
