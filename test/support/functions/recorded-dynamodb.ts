import { forwardCall } from '../setup/forward-call.ts';
import { startStubDynamodb } from './stub-dynamodb.ts';

/** A DynamoDB that hands all calls on to another, and knows the hashes of the API keys that were looked up. */
export interface RecordedDynamodb extends AsyncDisposable {
  readonly endpoint: string;
  readonly keyHashesRead: readonly string[];
}

/** What a function looks up during init, before any key. */
const warmUpHash = 'none';

/** Starts a DynamoDB that hands all calls on to the one at `endpoint`. */
export async function recordDynamodb(endpoint: string): Promise<RecordedDynamodb> {
  const keyHashesRead: string[] = [];
  const stub = await startStubDynamodb(async ({ action, headers, body }, response) => {
    const keyHash = JSON.parse(body).Key?.keyHash?.S;
    if (action === 'GetItem' && keyHash !== undefined && keyHash !== warmUpHash) keyHashesRead.push(keyHash);

    const forwarded = await forwardCall(endpoint, headers, body);
    response
      .writeHead(forwarded.status, { 'Content-Type': 'application/x-amz-json-1.0' })
      .end(await forwarded.text());
  });
  return { endpoint: stub.endpoint, keyHashesRead, [Symbol.asyncDispose]: () => stub[Symbol.asyncDispose]() };
}
