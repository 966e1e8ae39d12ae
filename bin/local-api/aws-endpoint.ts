import type { Endpoint, HttpResponse } from './http/http.ts';
import { account, operatorArn } from './template/account.ts';
import type { Deployment } from './template/deployment.ts';

/** The path at which the local API stands in for AWS: the only way to the tables. */
export const awsEndpointPath = '/_aws/';

/** A larger call would keep the local API from everything else for seconds. An item has at most 400 KB. */
const maxCallBytes = 1024 * 1024;

/**
 * Creates an AWS endpoint for functions and operators: DynamoDB, CloudFormation's DescribeStacks, which
 * locates the tables, and STS's GetCallerIdentity. It requires a signature but does not check it: browsers
 * let no page send one to another origin without a preflight request, which is denied.
 */
export function createAwsEndpoint(stack: Deployment['stack'], dynamodb: Endpoint): Endpoint {
  return async (request) => {
    const { headers, body } = request;
    if (!headers['authorization']?.[0]?.startsWith('AWS4-')) {
      return xmlError('MissingAuthenticationToken', 'Request is missing Authentication Token', 403);
    }
    if (body.length > maxCallBytes) return callTooLarge;
    if (headers['x-amz-target']) return dynamodb(request);
    const parameters = new URLSearchParams(body.toString());
    const action = parameters.get('Action');
    if (action === 'GetCallerIdentity') return callerIdentity;
    if (action === 'DescribeStacks') return describeStack(stack, parameters.get('StackName') ?? stack.name);
    return xmlError('InvalidAction', `The local API does not support ${action}.`);
  };
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

/** As JSON: only a call to DynamoDB has a reason to be large. */
const callTooLarge: HttpResponse = {
  status: 413,
  headers: { 'Content-Type': 'application/x-amz-json-1.0' },
  body: JSON.stringify({
    __type: 'com.amazon.coral.service#RequestEntityTooLarge',
    message: 'The local API accepts calls to DynamoDB of at most 1 MiB.',
  }),
};

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
