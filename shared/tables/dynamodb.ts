import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  NumberValue,
  type ServiceInputTypes,
  type ServiceOutputTypes,
  type TranslateConfig,
} from '@aws-sdk/lib-dynamodb';
import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry';
import { streamCollector } from '@smithy/core/serde';
import { ApiError } from '../contract/error-table.ts';
import { timeLimits } from '../lambda/time-limits.ts';

/** Returns a stored number exactly: an integer as a bigint, any other, which no field has, as its text. */
export const exactNumber = (text: string) => (/^-?\d+$/.test(text) ? BigInt(text) : new NumberValue(text));

export const exactNumbers = { unmarshallOptions: { wrapNumbers: exactNumber } } satisfies TranslateConfig;

/** Maximum attempts per call, which must all fit within its time limit. */
export const maxAttempts = 3;

// Region and endpoint come from the environment, the SDK's default.
const documentClient = DynamoDBDocumentClient.from(
  new DynamoDBClient({
    maxAttempts,
    // By default, the SDK waits for minutes, longer than the function may run.
    requestHandler: { connectionTimeout: timeLimits.silence, socketTimeout: timeLimits.silence },
    // The SDK treats an empty body as an empty object, so a write would count as successful.
    async streamCollector(stream) {
      const body = await streamCollector(stream);
      if (body.length === 0) throw new SyntaxError('The body is empty.');
      return body;
    },
  }),
  exactNumbers,
);
// It copies each item of each response for a logger, which no client here has.
documentClient.middlewareStack.remove('loggerMiddleware');

/** The client that the functions call DynamoDB with. */
export const dynamodb = {
  /**
   * Sends a command of the document client.
   *
   * @throws {ApiError} `service_unavailable` if DynamoDB throttles, fails, is unreachable or sends garbage
   * @throws the SDK's own error if DynamoDB rejects the call
   */
  send<Input extends ServiceInputTypes, Output extends ServiceOutputTypes>(
    command: Parameters<typeof documentClient.send<Input, Output>>[0],
  ): Promise<Output> {
    const deadline = AbortSignal.timeout(timeLimits.call);
    return documentClient.send(command, { abortSignal: deadline }).catch((error: unknown) => {
      throw unavailableIfTemporary(error, deadline);
    });
  },
};

/** Returns `service_unavailable` with its cause if a call may succeed later, otherwise the error itself. */
function unavailableIfTemporary(error: unknown, deadline: AbortSignal): unknown {
  if (deadline.aborted) return unavailable(deadline.reason);
  if (!isError(error)) return error;
  // The message would quote the unreadable body, pets included.
  if (error instanceof SyntaxError && '$response' in error)
    return unavailable(new Error('DynamoDB sent an unreadable response.'));
  // While the clocks differ by minutes, the SDK marks any error as corrected, even a failed condition.
  Object.assign(error.$metadata ?? {}, { clockSkewCorrected: false });
  return isTemporary(error) ? unavailable(error) : error;
}

const unavailable = (cause: unknown) => new ApiError('service_unavailable', undefined, { cause });

/** An error of the SDK or any other, because its own properties are optional. */
type SdkError = Parameters<typeof isTransientError>[0];

const isError = (error: unknown): error is SdkError => error instanceof Error;

/** Temporary errors that the SDK does not retry: a role that is not yet propagated, and an unnamed error. */
const otherTemporaryErrors: readonly string[] = ['UnrecognizedClientException', 'Unknown'];

const isTemporary = (error: SdkError): boolean =>
  isTransientError(error) ||
  isThrottlingError(error) ||
  isServerError(error) ||
  otherTemporaryErrors.includes(error.name);
