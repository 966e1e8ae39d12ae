import { setTimeout } from 'node:timers/promises';
import type { GetItemInput, PutItemInput, QueryInput, ScanInput } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { ApiError } from '../contract/api-error.ts';
import { Item } from '../tables/stored-attributes.ts';
import { type DynamodbAnswer, postToDynamodb, UnavailableError } from './dynamodb-endpoint.ts';

// All tries and pauses together end well before the function's own timeout: a client of the API is told 503 while there
// is still time to tell it.
const tries = 3;
const pauseMs = 100;

/**
 * Of the errors with status 400, those that another try may not meet: there are too many calls, or the credentials of a
 * role are not known everywhere yet.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html
 */
const passingErrors: readonly string[] = [
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'UnrecognizedClientException',
];

/** What each operation is called with. */
export interface Inputs {
  GetItem: GetItemInput;
  PutItem: PutItemInput;
  Query: QueryInput;
  Scan: ScanInput;
}

/** What the operations answer, as far as the service asks for it. */
const Output = v.object({
  Item: v.optional(Item),
  Items: v.optional(v.array(Item)),
  LastEvaluatedKey: v.optional(Item),
});
type Output = v.InferOutput<typeof Output>;

const Failure = v.object({
  __type: v.string(),
  message: v.optional(v.string()),
  Message: v.optional(v.string()),
  Item: v.optional(Item),
});

/** A call that DynamoDB refuses, however often it is asked; the `name` is DynamoDB's. */
export class DynamodbError extends Error {
  override readonly name: string;
  /** The item in the way of a conditional write that asked for it. */
  readonly item: Item | undefined;

  constructor(name: string, message?: string, item?: Item) {
    super(message);
    this.name = name;
    this.item = item;
  }
}

/**
 * Calls DynamoDB, in its own words. The client of the AWS SDK knows every operation, region and source of credentials.
 * For these four operations it would bring fifteen times the JavaScript, and a cold start half as long again: compare
 * one-call and one-sdk-call in `npm run bench`.
 *
 * @throws {DynamodbError} when DynamoDB refuses the call
 * @throws {ApiError} `service_unavailable` when it throttles, fails, can't be reached, or answers what is no answer
 */
export async function dynamodb<Operation extends keyof Inputs>(
  operation: Operation,
  input: Inputs[Operation],
): Promise<Output> {
  const body = JSON.stringify(input);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return readAnswer(await postToDynamodb(operation, body));
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      if (attempt === tries) throw new ApiError('service_unavailable', undefined, { cause: error });
      // A function that has been frozen finds its connections cut: that says nothing of DynamoDB.
      if (!error.isStaleConnection) await setTimeout(attempt * pauseMs);
    }
  }
}

function readAnswer({ status, text }: DynamodbAnswer): Output {
  if (status === 200) return parse(Output, text);

  const { __type, message, Message = message, Item: item } = parse(Failure, text);
  const name = __type.replace(/^.*#/, '');
  if (status >= 500 || passingErrors.includes(name)) throw new UnavailableError(`${name}: ${Message}`);
  throw new DynamodbError(name, Message, item);
}

/** Parses an answer; the error for one that is none tells nothing of what is in it, such as a pet. */
function parse<const TSchema extends v.GenericSchema>(schema: TSchema, text: string): v.InferOutput<TSchema> {
  const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text);
  if (success) return output;
  throw new UnavailableError('DynamoDB answered with what is no answer.');
}
