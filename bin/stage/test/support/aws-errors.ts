import type { Call } from '../../../../test/support/infra/iam-requests.ts';

/** Returns an error of AWS as the SDK throws it: `name` is its code. */
export const awsError = (name: string, message: string) =>
  Object.assign(new Error(message), { name, $fault: 'client', $metadata: {} });

/**
 * The codes of a call that is not allowed, and of one too many, where they are not those of most services.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/CommonErrors.html
 * https://docs.aws.amazon.com/sns/latest/api/API_GetTopicAttributes.html
 * https://docs.aws.amazon.com/lambda/latest/api/API_GetFunctionConfiguration.html
 */
const codes: Readonly<Record<string, { readonly denied?: string; readonly throttled?: string }>> = {
  cloudFormation: { denied: 'AccessDenied', throttled: 'Throttling' },
  cloudWatch: { denied: 'AccessDenied', throttled: 'Throttling' },
  sns: { denied: 'AuthorizationError', throttled: 'Throttled' },
  sts: { denied: 'AccessDenied', throttled: 'Throttling' },
  lambda: { throttled: 'TooManyRequestsException' },
};

export const denied = ({ client, command }: Pick<Call, 'client' | 'command'>) =>
  awsError(
    codes[client]?.denied ?? 'AccessDeniedException',
    `User: arn:aws:sts::123456789012:assumed-role/somebody/ann is not authorized to perform: ${command}`,
  );

export const throttled = ({ client }: Pick<Call, 'client'>) =>
  awsError(codes[client]?.throttled ?? 'ThrottlingException', 'Rate exceeded');
