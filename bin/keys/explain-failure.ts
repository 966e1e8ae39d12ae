import { OperatorError } from './operator-error.ts';
import type { StageChoice } from './stage.ts';

/** What to do about an error, in one line and without a stack trace. */
export function explainFailure(error: unknown, { stage, port }: StageChoice): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof OperatorError) return error.message;
  if (networkErrors.includes(codeOf(error))) {
    return stage === 'local'
      ? `No local API responds on port ${port}: run npm start, or give its --port.`
      : 'AWS does not respond: check the network and AWS_ENDPOINT_URL.';
  }
  if (error.name === 'CredentialsProviderError') {
    return 'There are no AWS credentials: set AWS_PROFILE, or sign in with aws login.';
  }
  if (/region is missing/i.test(error.message)) return 'There is no AWS region: set AWS_REGION.';
  if (/ExpiredToken|UnrecognizedClient|InvalidClientTokenId/.test(error.name)) {
    return 'AWS does not accept the credentials: sign in again with aws login.';
  }
  if (error.name === 'ResourceNotFoundException') return 'There is no such table: check its name.';
  // On the port is something else than a local API.
  if (stage === 'local') return `No local API responds on port ${port}: give the --port of one.`;
  return `${error.name}: ${error.message.split('\n')[0]}`;
}

const networkErrors: readonly unknown[] = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'ETIMEDOUT',
];

function codeOf(error: Error): unknown {
  return 'code' in error ? error.code : undefined;
}
