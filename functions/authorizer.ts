import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import {
  apiKeyHash,
  apiKeyTable,
  authorizationPattern,
  hasValidChecksum,
  isKeyValid,
  keyIdOf,
} from '../shared/keys/api-key.ts';
import { environmentVariable, warmUp } from '../shared/lambda/init.ts';
import { logError, logInfo, requestRejectedMessage, startInvocation } from '../shared/lambda/log.ts';
import { readItem } from '../shared/tables/read-item.ts';
import { openTable } from '../shared/tables/table.ts';

const apiKeys = openTable(apiKeyTable);
const authorization = new RegExp(authorizationPattern(environmentVariable('KEY_PREFIX')));

const findApiKey = (keyHash: string) => readItem(apiKeys, { keyHash });

/** Any error thrown rejects the request: API Gateway responds with its AUTHORIZER_CONFIGURATION_ERROR. */
export async function handler(event: APIGatewayTokenAuthorizerEvent): Promise<APIGatewayAuthorizerResult> {
  const { authorizationToken, methodArn } = event;
  startInvocation();
  const key = authorization.exec(authorizationToken)?.[1];
  if (key === undefined || !hasValidChecksum(key)) return deny('unknown', methodArn);

  const keyHash = apiKeyHash(key);
  const keyId = keyIdOf(keyHash);
  const apiKey = await findApiKey(keyHash).catch((error: unknown) => {
    // Lambda's own log line omits the causes of a thrown error.
    logError('The API key could not be read.', error, { keyId });
    throw error;
  });
  if (!apiKey || !isKeyValid(apiKey)) return deny(keyId, methodArn);

  return { ...policyOf('Allow', keyId, methodArn), context: { client: apiKey.client, keyId } };
}

function deny(keyId: string, methodArn: string): APIGatewayAuthorizerResult {
  logInfo(requestRejectedMessage, { code: 'unauthorized', keyId });
  return policyOf('Deny', keyId, methodArn);
}

/** A whole-stage policy: API Gateway caches it per key, so a policy for one method would deny the next. */
function policyOf(Effect: 'Allow' | 'Deny', principalId: string, methodArn: string) {
  const [apiArn, apiStage] = methodArn.split('/');
  return {
    principalId,
    policyDocument: {
      Version: '2012-10-17',
      Statement: [{ Action: 'execute-api:Invoke', Effect, Resource: `${apiArn}/${apiStage}/*` }],
    },
  };
}

await warmUp(() => findApiKey('none'));
