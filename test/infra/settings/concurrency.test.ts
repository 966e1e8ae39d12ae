import { describe, expect, it } from 'vitest';
import {
  authorizerConcurrencyOf,
  concurrencyOf,
  limitsOf,
  validateConcurrency,
} from '../../../infra/settings/concurrency.ts';
import { otherMethodsThrottling } from '../../../infra/settings/limits-and-permissions.ts';

const get = { rateLimit: 400, burstLimit: 80 };
const head = { rateLimit: 10, burstLimit: 10 };

describe('the concurrency of a function', () => {
  it('is a burst plus the requests of a tenth of a second, for each method', () => {
    expect(concurrencyOf([get, head])).toBe(120 + 11);
  });

  it('has room for HEAD where it has GET', () => {
    expect(limitsOf({ method: 'GET' }, get)).toEqual([get, otherMethodsThrottling]);
    expect(limitsOf({ method: 'POST' }, get)).toEqual([get]);
  });

  it('is a tenth of a second of all requests for the authorizer', () => {
    expect(authorizerConcurrencyOf([get, get, head])).toBe(81);
  });
});

describe('the account', () => {
  const message =
    'The limits need 300 concurrent executions, but the account of staging has 299. Lower a rateLimit or ' +
    'burstLimit in infra/settings/limits-and-permissions.ts, or request a higher quota and set ' +
    'accountConcurrency in infra/settings/stages.ts: docs/cost-and-capacity.md#to-raise-a-limit.';

  it('must have the concurrency of all functions', () => {
    expect(() => validateConcurrency('staging', { accountConcurrency: 300 }, [100, 200])).not.toThrow();
    expect(() => validateConcurrency('staging', { accountConcurrency: 299 }, [100, 200])).toThrow(message);
  });

  it('keeps a hundred executions that nobody can reserve', () => {
    const reserving = { accountConcurrency: 299, reservesConcurrency: true };

    expect(() => validateConcurrency('staging', reserving, [100, 99])).not.toThrow();
    expect(() => validateConcurrency('staging', reserving, [100, 100])).toThrow(message);
  });
});
