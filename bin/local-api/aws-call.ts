import type { HttpRequest } from './http/read-request.ts';
import { roleOf } from './template/account.ts';

/** The services whose calls are taken over here, by the names that signatures have. */
const emulated = ['cloudformation', 'dynamodb', 'sts'];

/** A call to AWS that is not emulated. */
export interface OtherCall {
  /** Such as `SQS`. */
  readonly service: string;
  /** Such as `SendMessage`, or a method and a path. */
  readonly action: string;
  /** The role of the function that calls, unless it is an operator. */
  readonly role: string | undefined;
}

/**
 * Returns what a signed request asks of a service that is not emulated, or undefined if it is none.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export function otherCallOf(
  request: Pick<HttpRequest, 'method' | 'path' | 'headers' | 'body'>,
): OtherCall | undefined {
  const { method, path, headers, body } = request;
  const [, accessKeyId = '', service = ''] =
    /^AWS4-\S+ Credential=([^/,]+)\/(?:[^/,]+\/)+([\w-]+)\/aws4_request\b/.exec(
      headers['authorization']?.[0] ?? '',
    ) ?? [];
  const [api = '', ofTarget] = headers['x-amz-target']?.[0]?.split('.', 2) ?? [];
  // DynamoDB's streams are signed as its tables are.
  const isOther = api === '' ? service !== '' && !emulated.includes(service) : api !== 'DynamoDB_20120810';
  if (!isOther) return undefined;

  const [, ofForm] = /^(?:.*&)?Action=(\w+)/.exec(body.subarray(0, maxFormBytes).toString('latin1')) ?? [];
  const name = emulated.includes(service) || service === '' ? api : service;
  return {
    service: name.length > maxAcronym ? name : name.toUpperCase(),
    action: ofTarget ?? ofForm ?? `${method} ${path}`,
    role: roleOf(accessKeyId),
  };
}

/** Where a form names its action. */
const maxFormBytes = 1000;

/** The signed names of SQS, SNS or S3 are acronyms. */
const maxAcronym = 3;
