import { printableLine } from '../cli/printable.ts';
import { type OtherCall, otherCallOf } from './aws-call.ts';
import type { Endpoint, HttpResponse } from './http/read-request.ts';
import { account, operatorArn } from './template/account.ts';
import type { Deployment } from './template/deployment.ts';

/** The path at which the local API stands in for AWS: the only way to the tables. */
export const awsEndpointPath = '/_aws/';

/** A function has few kinds of calls. */
const maxPrinted = 100;

/** A larger call would keep the local API from everything else for seconds. An item has at most 400 KB. */
const maxCallBytes = 1024 * 1024;

interface AwsEndpointParts {
  /** Returns what is deployed now. */
  readonly stack: () => Deployment['stack'];
  readonly dynamodb: Endpoint;
  /** Returns the file of the function that has a role, if any has. */
  readonly sourceOf?: (role: string) => string | undefined;
}

/**
 * Creates an AWS endpoint for functions and operators: DynamoDB, CloudFormation's DescribeStacks, which
 * locates the tables, and STS's GetCallerIdentity. It requires a signature but does not check it: browsers
 * let no page send one to another origin without a preflight request, which is denied.
 */
export function createAwsEndpoint({
  stack,
  dynamodb,
  sourceOf = () => undefined,
}: AwsEndpointParts): Endpoint {
  /** What a function calls in vain is printed once: it repeats its calls. */
  const printed = new Set<string>();

  return async (request) => {
    const { headers, body } = request;
    if (!headers['authorization']?.[0]?.startsWith('AWS4-')) {
      return xmlError('MissingAuthenticationToken', 'Request is missing Authentication Token', 403);
    }
    if (body.length > maxCallBytes) {
      return jsonError(
        'RequestEntityTooLarge',
        'The local API accepts calls to DynamoDB of at most 1 MiB.',
        413,
      );
    }
    const other = otherCallOf(request);
    if (other) return notEmulated(other);
    if (headers['x-amz-target']) return dynamodb(request);
    const parameters = new URLSearchParams(body.toString());
    const action = parameters.get('Action');
    if (action === 'GetCallerIdentity') return callerIdentity;
    if (action === 'DescribeStacks')
      return describeStack(stack(), parameters.get('StackName') ?? stack().name);
    return xmlError('InvalidAction', `The local API does not support ${action}.`);
  };

  function notEmulated({ service, action, role }: OtherCall): HttpResponse {
    const caller = role === undefined ? 'The caller' : (sourceOf(role) ?? role);
    const message = `${service} is not emulated: ${caller} called ${action}.`;
    if (role !== undefined && !printed.has(message) && printed.size < maxPrinted) {
      console.error(printableLine(message));
      printed.add(message);
    }
    return jsonError('UnsupportedOperation', message, 400);
  }
}

/** https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStacks.html */
function describeStack({ name, outputs }: Deployment['stack'], wanted: string): HttpResponse {
  if (wanted !== name) return xmlError('ValidationError', `Stack with id ${wanted} does not exist`);
  const members = Object.entries(outputs).map(
    ([key, value]) =>
      `<member><OutputKey>${key}</OutputKey><OutputValue>${escapeXml(value)}</OutputValue></member>`,
  );
  return xml(
    `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>${name}</StackName><StackStatus>CREATE_COMPLETE</StackStatus><Outputs>${members.join('')}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
  );
}

/** The form of most services, and of DynamoDB. */
const jsonError = (code: string, message: string, status: number): HttpResponse => ({
  status,
  headers: { 'Content-Type': 'application/x-amz-json-1.0' },
  body: JSON.stringify({ __type: `com.amazon.coral.service#${code}`, message }),
});

const xml = (body: string, status = 200): HttpResponse => ({
  status,
  headers: { 'Content-Type': 'text/xml' },
  body,
});

/** https://docs.aws.amazon.com/STS/latest/APIReference/API_GetCallerIdentity.html */
const callerIdentity = xml(
  `<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>${operatorArn}</Arn><Account>${account.id}</Account><UserId>operator</UserId></GetCallerIdentityResult></GetCallerIdentityResponse>`,
);

const xmlError = (code: string, message: string, status = 400) =>
  xml(
    `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${escapeXml(message)}</Message></Error></ErrorResponse>`,
    status,
  );

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
