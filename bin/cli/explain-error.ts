import { errorText } from './create-command.ts';

/** What to do about an AWS or network error, by its code (or else name) and message. */
const explanations: readonly (readonly [pattern: RegExp, text: string])[] = [
  [
    /^(ECONN|EHOST|ENOTFOUND|ETIMEDOUT)/,
    'AWS is not responding: check the network, HTTPS_PROXY and AWS_ENDPOINT_URL.',
  ],
  [
    /SSO session .{0,200}(expired|invalid)/,
    'Your session has expired: run aws sso login --profile <your own profile>.',
  ],
  [/^Credentials/, 'There are no AWS credentials: set AWS_PROFILE, or sign in to AWS.'],
  [
    /^Error Region is missing/,
    'There is no AWS region: set AWS_REGION, or AWS_PROFILE to a profile of this machine that has one.',
  ],
  [/^(ExpiredToken|UnrecognizedClient|InvalidClientTokenId)/, 'AWS rejected the credentials: sign in again.'],
  [
    /^(ProvisionedThroughputExceeded|Throttling)/,
    'AWS throttles these calls: try again later, or more slowly.',
  ],
  [/^ResourceNotFound/, 'There is no such table: check its name.'],
];

export function explainError(error: unknown): string {
  const text = error instanceof Error ? `${'code' in error ? error.code : error.name} ${error.message}` : '';
  const [, explanation = errorText(error)] = explanations.find(([pattern]) => pattern.test(text)) ?? [];
  return explanation.split('\n')[0] ?? '';
}
