import { expect, it } from 'vitest';
import { operationSettings, otherMethodsThrottling } from '../../../infra/settings/operation-settings.ts';
import { stages } from '../../../infra/settings/stages.ts';
import { operations } from '../../../shared/contract/operations.ts';

const gets = Object.values(operations).filter(({ method }) => method === 'GET');

it.each(Object.entries(stages))('the limits of all methods fit the account of %s', (_stage, settings) => {
  const requestsPerSecond = Object.values(operationSettings)
    .map(({ throttling }): number => throttling.rateLimit)
    // HEAD runs the function of GET.
    .concat(gets.map(() => otherMethodsThrottling.rateLimit))
    .reduce((sum, rate) => sum + rate);

  // A slow response takes a second, and the authorizer needs 3% (docs/scaling.md).
  expect(
    requestsPerSecond,
    'Lower a limit in infra/settings/operation-settings.ts, or raise accountConcurrency in infra/settings/stages.ts.',
  ).toBeLessThanOrEqual(0.97 * settings.accountConcurrency);
});
