import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { setTimeout } from 'node:timers/promises';
import type { GetItemInput, PutItemInput, QueryInput, ScanInput } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { ApiError } from './api-error.ts';
import { environmentVariable } from './environment.ts';
import { signPost } from './signature-v4.ts';
import { Item } from './stored-attributes.ts';
import { dynamodbEndpointVariable } from './table-definitions.ts';

/**
 * Three tries of at most a second each, with pauses of 100 and 200 ms, end well before the function's own timeout: a
 * client of the API is told 503 while there is still time to tell it.
 */
const tries = 3;
const tryMs = 1000;
const pauseMs = 100;

/**
 * The client errors after which DynamoDB may be asked again.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html
 */
const throttlingErrors: readonly string[] = [
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
];

const endpoint = new URL(environmentVariable(dynamodbEndpointVariable));
const signer = {
  accessKeyId: environmentVariable('AWS_ACCESS_KEY_ID'),
  secretAccessKey: environmentVariable('AWS_SECRET_ACCESS_KEY'),
  sessionToken: process.env['AWS_SESSION_TOKEN'],
  region: environmentVariable('AWS_REGION'),
  service: 'dynamodb',
};

// Only an embedded DynamoDB is without TLS.
const { Agent, request } = endpoint.protocol === 'http:' ? http : https;
const agent = new Agent({ keepAlive: true });

interface Inputs {
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

/** An error that DynamoDB answered; its `name` is DynamoDB's. */
export class DynamodbError extends Error {
  override readonly name: string;
  readonly status: number;
  /** The item in the way of a conditional write that asked for it. */
  readonly item: Item | undefined;

  constructor(status: number, { __type, message, Message, Item }: v.InferOutput<typeof Failure>) {
    super(message ?? Message);
    this.name = __type.replace(/^.*#/, '');
    this.status = status;
    this.item = Item;
  }
}

/**
 * Calls DynamoDB, in its own words. The client of the AWS SDK knows every operation, region and source of credentials:
 * of these four calls it would make ten times the JavaScript and twice the init (`npm run bench`, one-sdk-call).
 *
 * @throws {DynamodbError} when DynamoDB refuses the call
 * @throws {ApiError} `service_unavailable` when it throttles, fails, or can't be reached
 */
export async function dynamodb<Operation extends keyof Inputs>(
  operation: Operation,
  input: Inputs[Operation],
): Promise<Output> {
  const body = JSON.stringify(input);
  for (let attempt = 1; ; attempt += 1) {
    const headers = signedHeaders(operation, body);
    try {
      return await post(headers, body);
    } catch (error) {
      if (error instanceof DynamodbError && isRefusal(error)) throw error;
      if (attempt === tries) throw new ApiError('service_unavailable', undefined, { cause: error });
    }
    await setTimeout(attempt * pauseMs);
  }
}

function signedHeaders(operation: keyof Inputs, body: string): Readonly<Record<string, string>> {
  const headers = {
    host: endpoint.host,
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': `DynamoDB_20120810.${operation}`,
  };
  return signPost(headers, body, signer, new Date());
}

async function post(headers: Readonly<Record<string, string>>, body: string): Promise<Output> {
  const { promise: answered, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const signal = AbortSignal.timeout(tryMs);
  request(endpoint, { method: 'POST', agent, headers, signal }, resolve).on('error', reject).end(body);
  const answer = await answered;

  answer.setEncoding('utf8');
  let text = '';
  for await (const chunk of answer) text += chunk;
  const { statusCode: status = 0 } = answer;
  if (status === 200) return v.parse(Output, JSON.parse(text));
  throw new DynamodbError(status, v.parse(Failure, JSON.parse(text)));
}

/** A call that DynamoDB will refuse however often it is asked: a defect of the service, or a failed condition. */
function isRefusal({ status, name }: DynamodbError): boolean {
  return status < 500 && !throttlingErrors.includes(name);
}
