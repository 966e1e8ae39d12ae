import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  ConfiguredRetryStrategy,
  isServerError,
  isThrottlingError,
  isTransientError,
} from '@smithy/core/retry';
import { ApiError } from './api-error.ts';

/**
 * The one client of a function.
 *
 * Three tries of at most a second each, with pauses of 100 and 200 ms, end well before the function's own timeout: a
 * client of the API is told 503 while there is still time to tell it.
 */
export const dynamodb = new DynamoDBClient({
  retryStrategy: new ConfiguredRetryStrategy(3, (attempt) => attempt * 100),
  // The second is for a silent socket: before an answer, and in the middle of one.
  requestHandler: { connectionTimeout: 500, socketTimeout: 1000 },
});

dynamodb.middlewareStack.add((next) => async (args) => {
  try {
    return await next(args);
  } catch (error) {
    throw isUnavailable(Object(error))
      ? new ApiError('service_unavailable', undefined, { cause: error })
      : error;
  }
});

/** Throttling, time-outs, lost connections, faults of DynamoDB and answers that are none: the client may try again. */
function isUnavailable(error: Parameters<typeof isThrottlingError>[0]): boolean {
  const isGarbled = error instanceof SyntaxError;
  return isGarbled || isThrottlingError(error) || isTransientError(error) || isServerError(error);
}
