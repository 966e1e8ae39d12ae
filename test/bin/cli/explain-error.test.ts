import { expect, it } from 'vitest';
import { explainError } from '../../../bin/cli/explain-error.ts';

const signIn = 'AWS rejected the credentials: sign in again.';

it.each<[error: object, line: string]>([
  [{}, 'Denied.'],
  [{ code: 'ECONNREFUSED' }, 'AWS is not responding: check the network, HTTPS_PROXY and AWS_ENDPOINT_URL.'],
  [
    { message: 'Region is missing' },
    'There is no AWS region: set AWS_REGION, or AWS_PROFILE to a profile of this machine that has one.',
  ],
  [{ name: 'CredentialsProviderError' }, 'There are no AWS credentials: set AWS_PROFILE, or sign in to AWS.'],
  [
    {
      name: 'CredentialsProviderError',
      message:
        'The SSO session associated with this profile has expired. To refresh this SSO session run aws sso login with the corresponding profile.',
    },
    'Your session has expired: run aws sso login --profile <your own profile>.',
  ],
  [{ name: 'ExpiredTokenException' }, signIn],
  [{ name: 'UnrecognizedClientException' }, signIn],
  [{ name: 'InvalidClientTokenId' }, signIn],
  [
    { name: 'ProvisionedThroughputExceededException' },
    'AWS throttles these calls: try again later, or more slowly.',
  ],
  [{ name: 'ResourceNotFoundException' }, 'There is no such table: check its name.'],
])('explains an error with %j in one line', (properties, line) => {
  expect(explainError(Object.assign(new Error('Denied.\n  at x'), properties))).toBe(line);
});
