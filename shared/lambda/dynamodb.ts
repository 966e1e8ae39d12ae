import { type ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { fromEnv } from '@aws-sdk/credential-provider-env';
import {
  DynamoDBDocumentClient,
  type ServiceInputTypes,
  type ServiceOutputTypes,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry';
import { ApiError } from '../contract/errors/api-error.ts';
import { exactIntegers } from './exact-integers.ts';
import { maxAttempts, timeLimits } from './time-limits.ts';

// The region and the endpoint are from the environment, as everywhere with the SDK.
const client = DynamoDBDocumentClient.from(
  new DynamoDBClient({
    // Lambda sets them: no other place is searched, nor bundled.
    credentials: fromEnv(),
    // One less than the SDK's, so that all attempts fit into the time of a call.
    maxAttempts,
    // The SDK would wait for minutes, and Lambda end the function before.
    requestHandler: { connectionTimeout: timeLimits.connection, socketTimeout: timeLimits.silence },
  }),
  exactIntegers,
);

/** The client that the functions call DynamoDB with. */
export const dynamodb = { send };

/**
 * Sends a command of the document client.
 *
 * @throws {ApiError} `service_unavailable` when DynamoDB throttles, fails, can't be reached in time, or can't be
 *   understood; a call that it refuses throws the SDK's own error
 */
async function send<Input extends ServiceInputTypes, Output extends ServiceOutputTypes>(
  command: Parameters<typeof client.send<Input, Output>>[0],
): Promise<Output> {
  const deadline = AbortSignal.timeout(timeLimits.call);
  return client.send(command, { abortSignal: deadline }).catch((error: SdkError) => {
    if (deadline.aborted) throw unavailable(deadline.reason);
    // The message would quote what can't be read, such as a pet.
    if (error instanceof SyntaxError && '$response' in error)
      throw unavailable(new Error('DynamoDB sent an unreadable response.'));
    throw isTemporary(error) ? unavailable(error) : error;
  });
}

/** The item in the way of a conditional write: the document client leaves that of an error as DynamoDB sends it. */
export function existingItem({ Item = {} }: ConditionalCheckFailedException): unknown {
  return unmarshall(Item, { wrapNumbers: BigInt });
}

type SdkError = Parameters<typeof isTransientError>[0];

/** What the SDK does not try again: a role that is not known everywhere yet, and an error without a name. */
const otherTemporaryErrors: readonly string[] = ['UnrecognizedClientException', 'Unknown'];

const isTemporary = (error: SdkError) =>
  [isTransientError, isThrottlingError, isServerError].some((isKind) => isKind(error)) ||
  otherTemporaryErrors.includes(error.name);

const unavailable = (cause: unknown) => new ApiError('service_unavailable', undefined, { cause });
