import { authorizerConcurrencyOf, concurrencyOf } from '../../infra/settings/concurrency.ts';

/** The limits as they are shipped, which the documents describe. An owner's settings may have others. */
const operation = { rateLimit: 400, burstLimit: 80 };
const otherMethod = { rateLimit: 10, burstLimit: 10 };
/** HEAD runs the function of GET. */
const getAndHead = [operation, otherMethod];

export const shippedLimits = {
  operation,
  otherMethod,
  /** Requests per second that all methods of functions admit: three operations, two of which have HEAD. */
  admitted: 3 * operation.rateLimit + 2 * otherMethod.rateLimit,
  /** Requests per second of a key, and of an address. */
  perKey: 3000 / 60,
  perAddress: 6000 / 60,
} as const;

/** The concurrent executions that the limits need. */
export const shippedConcurrency = {
  create: concurrencyOf([operation]),
  head: concurrencyOf([otherMethod]),
  authorizer: authorizerConcurrencyOf([operation, ...getAndHead, ...getAndHead]),
  all:
    concurrencyOf([operation]) +
    2 * concurrencyOf(getAndHead) +
    authorizerConcurrencyOf([operation, ...getAndHead, ...getAndHead]),
  twoMoreReads: 2 * concurrencyOf(getAndHead) + authorizerConcurrencyOf([...getAndHead, ...getAndHead]),
} as const;
