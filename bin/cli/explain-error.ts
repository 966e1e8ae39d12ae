import { errorText } from './create-command.ts';

/** What may help after the words of AWS, the SDK or Node, by these or by the error's code. */
const hints: readonly (readonly [pattern: RegExp, hint: string])[] = [
  [/^(ECONN|EHOST|ENOTFOUND|ETIMEDOUT)/, 'check the network, HTTPS_PROXY and AWS_ENDPOINT_URL.'],
  [/^Region is missing$/, 'set AWS_REGION, or AWS_PROFILE to a profile of this machine that has one.'],
  // The SDK says no more of a credential_process that fails, or of a profile that is not there.
  [/^Could not load credentials from any providers$/, 'aws sts get-caller-identity says why.'],
];

/** Returns what AWS, the SDK or Node says of an error, and perhaps a hint after it. */
export function explainError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? `${error.code}` : '';
  // A host that refuses connections at several addresses leaves no message.
  const text = errorText(error) || code;
  const [, hint] = hints.find(([pattern]) => pattern.test(code) || pattern.test(text)) ?? [];
  return hint === undefined ? text : `${text}: ${hint}`;
}
