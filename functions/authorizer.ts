import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import { apiKeyHash, authorizationPattern, hasValidChecksum, keyIdOf } from '../shared/api-key.ts';
import { isActive, readApiKey } from '../shared/api-keys-table.ts';
import { dynamodb } from '../shared/dynamodb.ts';
import { environmentVariable } from '../shared/environment.ts';
import { logError } from '../shared/log.ts';
import { apiKeysTable } from '../shared/table-definitions.ts';
import { warmUp } from '../shared/warm-up.ts';

const tableName = environmentVariable(apiKeysTable.nameVariable);
const authorization = new RegExp(authorizationPattern(environmentVariable('STAGE')));

const findApiKey = (keyHash: string) => readApiKey((input) => dynamodb('GetItem', input), tableName, keyHash);

/** Anything thrown refuses the request: API Gateway turns it into its AUTHORIZER_CONFIGURATION_ERROR response. */
export async function handler({
  authorizationToken,
  methodArn,
}: APIGatewayTokenAuthorizerEvent): Promise<APIGatewayAuthorizerResult> {
  const key = authorization.exec(authorizationToken)?.[1];
  if (key === undefined || !hasValidChecksum(key)) return answer('Deny', 'unknown', methodArn);

  const keyHash = apiKeyHash(key);
  const keyId = keyIdOf(keyHash);
  const apiKey = await findApiKey(keyHash).catch(logAndRethrow);
  if (!apiKey || !isActive(apiKey, Date.now() / 1000)) return answer('Deny', keyId, methodArn);

  return { ...answer('Allow', keyId, methodArn), context: { client: apiKey.client, keyId } };
}

/** What Lambda itself logs of an error that is thrown leaves out its causes. */
function logAndRethrow(error: unknown): never {
  logError('The API key could not be read.', error);
  throw error;
}

/** The policy is about the whole stage: it is cached by the key, and one for this method would refuse the next. */
function answer(
  Effect: 'Allow' | 'Deny',
  principalId: string,
  methodArn: string,
): APIGatewayAuthorizerResult {
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
