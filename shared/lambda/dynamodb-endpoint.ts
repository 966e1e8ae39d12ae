import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { dynamodbEndpointVariable } from '../tables/table-definitions.ts';
import { environmentVariable } from './environment.ts';
import { signPost } from './signature-v4.ts';

/** How long a call may take in all, in milliseconds: to connect, to be answered, and to be answered to the end. */
const patience = 1000;

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

/** What DynamoDB answered, not parsed yet. */
export interface DynamodbAnswer {
  readonly status: number;
  readonly text: string;
}

/** DynamoDB is away, or too busy, for now. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
  /** Whether all that failed is a connection that was kept from an earlier call. */
  readonly isStaleConnection: boolean;

  constructor(message: string, { isStaleConnection = false, cause }: UnavailableOptions = {}) {
    super(message, { cause });
    this.isStaleConnection = isStaleConnection;
  }
}
interface UnavailableOptions extends ErrorOptions {
  readonly isStaleConnection?: boolean;
}

/**
 * Posts a call of an operation to DynamoDB, and gives what it answers.
 *
 * @throws {UnavailableError} when DynamoDB can't be reached in time
 */
export async function postToDynamodb(operation: string, body: string): Promise<DynamodbAnswer> {
  const headers = {
    host: endpoint.host,
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': `DynamoDB_20120810.${operation}`,
  };
  const signal = AbortSignal.timeout(patience);
  const call = request(endpoint, {
    method: 'POST',
    agent,
    headers: signPost(headers, body, signer, new Date()),
    signal,
  });

  return exchange(call, body).catch((error: unknown) => {
    throw new UnavailableError("DynamoDB can't be reached.", {
      cause: signal.aborted ? signal.reason : error,
      isStaleConnection: call.reusedSocket && !signal.aborted,
    });
  });
}

async function exchange(call: ClientRequest, body: string): Promise<DynamodbAnswer> {
  const { promise: answered, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  call.on('response', resolve).on('error', reject).end(body);
  const answer = await answered;

  answer.setEncoding('utf8');
  let text = '';
  for await (const chunk of answer) text += chunk;
  return { status: answer.statusCode ?? 0, text };
}
