import { expect, it } from 'vitest';
import { explainFailure } from '../../../bin/keys/explain-failure.ts';
import { OperatorError } from '../../../bin/keys/operator-error.ts';

/** An error as the AWS SDK throws it. */
const awsError = (name: string, message = 'It failed.') => Object.assign(new Error(message), { name });
const refusedConnection = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const signIn = 'AWS does not accept the credentials: sign in again with aws login.';

it.each<[stage: 'local' | 'staging', error: unknown, line: string]>([
  ['staging', new OperatorError('No key 0 of staging.'), 'No key 0 of staging.'],
  ['local', refusedConnection, 'No local API responds on port 3000: run npm start, or give its --port.'],
  ['local', awsError('ResourceNotFoundException'), 'There is no such table: check its name.'],
  ['local', awsError('NotFound'), 'No local API responds on port 3000: give the --port of one.'],
  ['staging', refusedConnection, 'AWS does not respond: check the network and AWS_ENDPOINT_URL.'],
  [
    'staging',
    awsError('CredentialsProviderError'),
    'There are no AWS credentials: set AWS_PROFILE, or sign in with aws login.',
  ],
  ['staging', new Error('Region is missing'), 'There is no AWS region: set AWS_REGION.'],
  ['staging', awsError('ExpiredTokenException'), signIn],
  ['staging', awsError('UnrecognizedClientException'), signIn],
  ['staging', awsError('InvalidClientTokenId'), signIn],
  ['staging', awsError('AccessDeniedException', 'Denied.\n  at DynamoDB'), 'AccessDeniedException: Denied.'],
  ['staging', 'broken', 'broken'],
])('a failure at %s (%s) is explained in a line', (stage, error, line) => {
  expect(explainFailure(error, { stage, port: 3000 })).toBe(line);
});
