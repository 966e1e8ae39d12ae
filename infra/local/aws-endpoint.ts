import type { Dynamodb } from './dynamodb/embedded-dynamodb.ts';
import type { HttpRequest, HttpResponse } from './http/http.ts';
import { account, operatorArn } from './template/account.ts';
import type { DescribedStack } from './template/deployment.ts';

/** The path at which the local API stands in for AWS itself, for the operator's commands. */
export const awsEndpointPath = '/_aws/';

/**
 * An AWS endpoint for operators: DescribeStacks of CloudFormation, by which the tables are found, GetCallerIdentity of
 * STS, and DynamoDB. It is for this machine only, and takes any credentials. There must be some, though: a browser lets no
 * page send that header to another origin without a preflight request, which is refused.
 */
export function createAwsEndpoint(stack: DescribedStack, dynamodb: Dynamodb) {
  return async ({ headers, body }: HttpRequest): Promise<HttpResponse> => {
    const authorization = headers['authorization']?.[0];
    if (!authorization?.startsWith('AWS4-')) {
      return xmlError('MissingAuthenticationToken', 'Request is missing Authentication Token', 403);
    }
    const target = headers['x-amz-target']?.[0];
    if (target === undefined) return describeStacks(new URLSearchParams(body), stack);
    return dynamodb.respond({ target, authorization, body });
  };
}

/** https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStacks.html */
function describeStacks(parameters: URLSearchParams, { name, outputs }: DescribedStack): HttpResponse {
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
