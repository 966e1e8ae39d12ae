import { CodeDeployClient, PutLifecycleEventHookExecutionStatusCommand } from '@aws-sdk/client-codedeploy';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as v from 'valibot';
import { commonHeaders } from '../../shared/contract/common-headers.ts';
import { ErrorBody } from '../../shared/contract/errors/error-table.ts';
import { parseJson } from '../../shared/contract/json.ts';
import { type OperationId, operations } from '../../shared/contract/operations.ts';
import { environmentVariable } from '../../shared/lambda/environment.ts';

/** A harmless request for each operation, and the statuses that the contract allows for it. */
const requests: Readonly<Record<OperationId, readonly [event: object, statuses: readonly number[]]>> = {
  listPets: [{ multiValueQueryStringParameters: { limit: ['1'] } }, [200]],
  createPet: [{ body: '{}' }, [400]],
  // Ids are random: a 200 is unlikely, but equally valid.
  getPet: [{ pathParameters: { petId: '1' } }, [200, 404, 410]],
};

const malformedToken = {
  type: 'TOKEN',
  authorizationToken: 'Bearer malformed',
  methodArn: 'arn:api/v1/GET/pets',
};
const Denied = v.object({
  policyDocument: v.object({ Statement: v.tuple([v.object({ Effect: v.literal('Deny') })]) }),
});

const HookEvent = v.object({ DeploymentId: v.string(), LifecycleEventHookExecutionId: v.string() });

const lambda = new LambdaClient();
const codeDeploy = new CodeDeployClient();

/**
 * Checks the versions of a release: a deployment sends them requests only after `Succeeded`.
 * https://docs.aws.amazon.com/codedeploy/latest/userguide/reference-appspec-file-structure-hooks.html
 */
export async function handler(event: unknown): Promise<void> {
  const { DeploymentId, LifecycleEventHookExecutionId } = v.parse(HookEvent, event);
  const checks = await Promise.allSettled([
    check('authorizer', malformedToken, Denied),
    ...Object.values(operations).map((operation) =>
      check(operation.operationId, requestOf(operation), responseOf(operation)),
    ),
  ]);

  const problems = checks.flatMap((result) => (result.status === 'rejected' ? [`${result.reason}`] : []));
  for (const problem of problems) console.error(problem);
  await codeDeploy.send(
    new PutLifecycleEventHookExecutionStatusCommand({
      deploymentId: DeploymentId,
      lifecycleEventHookExecutionId: LifecycleEventHookExecutionId,
      status: problems.length === 0 ? 'Succeeded' : 'Failed',
    }),
  );
}

/** Invokes the new version of a function, and throws unless it responds as the contract says. */
async function check(name: string, event: object, response: v.GenericSchema): Promise<void> {
  const FunctionName = environmentVariable(name);
  const { Payload } = await lambda.send(new InvokeCommand({ FunctionName, Payload: JSON.stringify(event) }));
  const text = Payload?.transformToString() ?? '';
  const { issues } = v.safeParse(v.pipe(v.string(), v.parseJson(), response), text);
  if (!issues) return;
  throw new Error(`${FunctionName}: ${issues.map(({ message }) => message).join(' ')} Response: ${text}`);
}

type AnyOperation = (typeof operations)[OperationId];

/** Returns the event that API Gateway sends for a request, as far as the handlers read it. */
const requestOf = ({ operationId, method, path }: AnyOperation) => ({
  httpMethod: method,
  path,
  resource: path,
  multiValueHeaders: {},
  isBase64Encoded: false,
  requestContext: {
    requestId: 'release-check',
    domainName: 'release-check.invalid',
    stage: 'v1',
    authorizer: { client: 'release-check', keyId: '000000000000' },
  },
  ...requests[operationId][0],
});

const responseOf = ({ operationId, response }: AnyOperation): v.GenericSchema =>
  v.object({
    statusCode: v.picklist(requests[operationId][1]),
    headers: v.object({
      'Content-Type': v.literal('application/json'),
      ...Object.fromEntries(Object.entries(commonHeaders).map(([name, value]) => [name, v.literal(value)])),
    }),
    body: v.union([
      v.pipe(v.string(), v.transform(parseJson), response.schema),
      v.pipe(v.string(), v.parseJson(), ErrorBody),
    ]),
  });
