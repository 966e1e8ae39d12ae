import type { Dynamodb } from './dynamodb/embedded-dynamodb.ts';
import type { HttpRequest, HttpResponse } from './http/http.ts';
import { account, operatorArn } from './template/account.ts';
import type { Deployment } from './template/deployment.ts';

/** The path at which the local API stands in for AWS: the one way to the tables. */
export const awsEndpointPath = '/_aws/';

/**
 * Creates an AWS endpoint for functions and operators, with DynamoDB, DescribeStacks of CloudFormation (by which the
 * tables are found) and GetCallerIdentity of STS. It checks no signature but requires one: a page in a browser can't send
 * that header to another origin without a preflight request, which is denied.
 */
export function createAwsEndpoint(stack: Deployment['stack'], dynamodb: Dynamodb) {
  return async ({ headers, body }: HttpRequest): Promise<HttpResponse> => {
    const authorization = headers['authorization']?.[0] ?? '';
    if (!authorization.startsWith('AWS4-')) {
      return xmlError('MissingAuthenticationToken', 'Request is missing Authentication Token', 403);
    }
    const target = headers['x-amz-target']?.[0];
    if (target === undefined) return describeStacks(new URLSearchParams(body.toString()), stack);
    const invocationId = headers['amz-sdk-invocation-id']?.[0] ?? '';
    return dynamodb({ target, authorization, invocationId, body: body.toString() });
  };
}

/** https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStacks.html */
function describeStacks(parameters: URLSearchParams, { name, outputs }: Deployment['stack']): HttpResponse {
  const action = parameters.get('Action');
  if (action === 'GetCallerIdentity') return callerIdentity();
  const wanted = parameters.get('StackName') ?? name;
  if (action !== 'DescribeStacks') return xmlError('InvalidAction', `The local API has no ${action}.`);
  if (wanted !== name) return xmlError('ValidationError', `Stack with id ${wanted} does not exist`);

  const members = Object.entries(outputs).map(
    ([key, value]) =>
      `<member><OutputKey>${escapeXml(key)}</OutputKey><OutputValue>${escapeXml(value)}</OutputValue></member>`,
  );
  return xml(
    200,
    `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>${escapeXml(name)}</StackName><StackStatus>CREATE_COMPLETE</StackStatus><Outputs>${members.join('')}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
  );
}

/** https://docs.aws.amazon.com/STS/latest/APIReference/API_GetCallerIdentity.html */
const callerIdentity = () =>
  xml(
    200,
    `<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>${operatorArn}</Arn><Account>${account.id}</Account><UserId>operator</UserId></GetCallerIdentityResult></GetCallerIdentityResponse>`,
  );

const xmlError = (code: string, message: string, status = 400) =>
  xml(
    status,
    `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${escapeXml(message)}</Message></Error></ErrorResponse>`,
  );

const xml = (status: number, body: string): HttpResponse => ({
  status,
  headers: { 'Content-Type': 'text/xml' },
  body,
});

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
