import type { Operation } from '../../shared/contract/operation.ts';
import { otherMethodsThrottling, type Throttling } from './limits-and-permissions.ts';
import type { StageSettings } from './stages.ts';

/** The limits of the methods that run a function. */
type Limits = readonly Throttling[];

/**
 * The response time, in seconds, that the limits have room for: six times the mean of a warm response
 * (docs/cost-and-capacity.md).
 */
const plannedResponseTime = 0.1;

/**
 * How many executions AWS keeps for functions that reserve none.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html
 */
const unreservable = 100;

/** Returns the limits of the methods that run an operation's function: HEAD runs that of GET. */
export const limitsOf = ({ method }: Pick<Operation, 'method'>, throttling: Throttling): Limits => [
  throttling,
  ...(method === 'GET' ? [otherMethodsThrottling] : []),
];

/**
 * Returns how many executions of a function can be in progress at the same time: a burst, which API Gateway
 * admits at once, and what the rate admits within the planned response time.
 */
export const concurrencyOf = (limits: Limits): number =>
  sumOf(limits.map(({ burstLimit, rateLimit }) => burstLimit + Math.ceil(rateLimit * plannedResponseTime)));

/**
 * Returns how many executions of the authorizer can be in progress: what all rates together admit within the
 * planned response time, in case none of the keys was checked within the last minute.
 */
export const authorizerConcurrencyOf = (limits: Limits): number =>
  sumOf(limits.map(({ rateLimit }) => Math.ceil(rateLimit * plannedResponseTime)));

/**
 * Validates that the account of a stage can run all its functions at the limits of their methods.
 *
 * @throws {Error} saying what to change
 */
export function validateConcurrency(
  stage: string,
  {
    accountConcurrency,
    reservesConcurrency,
  }: Pick<StageSettings, 'accountConcurrency' | 'reservesConcurrency'>,
  reservations: readonly number[],
): void {
  const needed = sumOf(reservations) + (reservesConcurrency ? unreservable : 0);
  if (needed <= accountConcurrency) return;
  throw new Error(
    `The limits need ${needed} concurrent executions, but the account of ${stage} has ${accountConcurrency}. ` +
      'Lower a rateLimit or burstLimit in infra/settings/limits-and-permissions.ts, or request a higher quota ' +
      'and set accountConcurrency in infra/settings/stages.ts: docs/cost-and-capacity.md#to-raise-a-limit.',
  );
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
