import { describe, expect, it } from 'vitest';
import { explainFailure } from '../../../bin/keys/explain-failure.ts';
import { OperatorError } from '../../../bin/keys/operator-error.ts';
import type { StageChoice } from '../../../bin/keys/stage.ts';

const local: StageChoice = { stage: 'local', port: 3000 };
const staging: StageChoice = { stage: 'staging', port: 3000 };

/** An error as the AWS SDK throws it. */
const awsError = (name: string, message: string) => Object.assign(new Error(message), { name });

const refusedConnection = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:3000'), {
  code: 'ECONNREFUSED',
});

describe('the explanation of an error', () => {
  it.each<[title: string, error: unknown, choice: StageChoice, line: string]>([
    [
      'what the operator can put right',
      new OperatorError('No key 0 of staging.'),
      staging,
      'No key 0 of staging.',
    ],
    [
      'no local API',
      refusedConnection,
      local,
      'No local API responds on port 3000: run npm start, or give its --port.',
    ],
    [
      'no such table',
      awsError('ResourceNotFoundException', 'Requested resource not found'),
      local,
      'There is no such table: check its name.',
    ],
    [
      'another server on the port',
      awsError('NotFound', 'Unknown'),
      local,
      'No local API responds on port 3000: give the --port of one.',
    ],
    ['no AWS', refusedConnection, staging, 'AWS does not respond: check the network and AWS_ENDPOINT_URL.'],
    [
      'no credentials',
      awsError('CredentialsProviderError', 'Could not load credentials from any providers'),
      staging,
      'There are no AWS credentials: set AWS_PROFILE, or sign in with aws login.',
    ],
    ['no region', new Error('Region is missing'), staging, 'There is no AWS region: set AWS_REGION.'],
    [
      'any other error',
      awsError('AccessDeniedException', 'User is not authorized\n  at DynamoDB'),
      staging,
      'AccessDeniedException: User is not authorized',
    ],
    ['what is no error', 'broken', staging, 'broken'],
  ])('tells of %s in one line', (_title, error, choice, line) => {
    expect(explainFailure(error, choice)).toBe(line);
  });

  it.each(['ExpiredToken', 'ExpiredTokenException', 'UnrecognizedClientException', 'InvalidClientTokenId'])(
    'asks to sign in again for %s',
    (name) => {
      const error = awsError(name, 'The security token included in the request is invalid.');

      expect(explainFailure(error, staging)).toBe(
        'AWS does not accept the credentials: sign in again with aws login.',
      );
    },
  );
});
