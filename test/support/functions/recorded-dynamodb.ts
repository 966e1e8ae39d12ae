import { respondAs, startStubDynamodb } from './stub-dynamodb.ts';

/** What the authorizer looks up during init, before any key. */
const warmUpHash = 'none';

/** Starts a DynamoDB that hands all calls on to the one at `endpoint`, and knows the hashes of the API keys looked up. */
export async function recordDynamodb(endpoint: string) {
  const keyHashesRead: string[] = [];
  const stub = await startStubDynamodb((call, response) => {
    const keyHash = JSON.parse(call.body).Key?.keyHash?.S;
    if (call.action === 'GetItem' && keyHash !== undefined && keyHash !== warmUpHash) {
      keyHashesRead.push(keyHash);
    }
    return respondAs(endpoint, call, response);
  });
  return { ...stub, keyHashesRead };
}
