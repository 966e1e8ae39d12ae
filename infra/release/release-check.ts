import { CodeDeployClient, PutLifecycleEventHookExecutionStatusCommand } from '@aws-sdk/client-codedeploy';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { Context } from 'aws-lambda';
import * as v from 'valibot';
import { jsonText } from '../../shared/contract/json.ts';
import { invalidFields } from '../../shared/contract/parse.ts';
import { environmentVariable } from '../../shared/lambda/init.ts';
import { operations } from '../../shared/service.ts';
import { capitalize, liveAlias } from '../stack-names.ts';
import {
  authorizerRequest,
  emptyList,
  filledList,
  type HarmlessRequest,
  operationRequests,
} from './harmless-requests.ts';

const HookEvent = v.object({ DeploymentId: v.string(), LifecycleEventHookExecutionId: v.string() });

/** Kept for the report to CodeDeploy, with its retries. */
const reportMilliseconds = 10_000;

const lambda = new LambdaClient();
const codeDeploy = new CodeDeployClient();

/**
 * The handler of a function of the stack. Checks the versions of a release: a deployment sends them requests
 * only after `Succeeded`. Whatever goes wrong is reported as `Failed`, because CodeDeploy would wait an hour for
 * a hook that reports nothing.
 * https://docs.aws.amazon.com/codedeploy/latest/userguide/reference-appspec-file-structure-hooks.html
 */
export async function handler(
  event: unknown,
  context: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<void> {
  // Without these ids, there is no deployment to report to.
  const { DeploymentId, LifecycleEventHookExecutionId } = v.parse(HookEvent, event);

  const deadline = AbortSignal.timeout(Math.max(0, context.getRemainingTimeInMillis() - reportMilliseconds));
  const problems = await findProblems(deadline).catch((error: unknown) => [`${error}`]);
  for (const problem of problems) console.error(problem);
  await codeDeploy.send(
    new PutLifecycleEventHookExecutionStatusCommand({
      deploymentId: DeploymentId,
      lifecycleEventHookExecutionId: LifecycleEventHookExecutionId,
      status: problems.length === 0 ? 'Succeeded' : 'Failed',
    }),
  );
}

/** Sends all requests to all new versions, and returns what is wrong with the responses. */
async function findProblems(deadline: AbortSignal): Promise<readonly string[]> {
  const checks = [
    checkResponse('Authorizer', authorizerRequest(environmentVariable('STAGE')), deadline),
    ...Object.values(operations).flatMap((operation) =>
      operationRequests(operation).map((request) =>
        checkResponse(capitalize(operation.operationId), request, deadline),
      ),
    ),
  ];
  const results = await Promise.allSettled(checks);
  return results.flatMap((result) => (result.status === 'rejected' ? [`${result.reason}`] : []));
}

/** Throws unless the new version of a function responds as the contract says, and finds what the live one finds. */
async function checkResponse(name: string, request: HarmlessRequest, deadline: AbortSignal): Promise<void> {
  const newVersion = environmentVariable(name);
  const body = await invoke(newVersion, request, deadline);

  const { issues } = v.safeParse(jsonText(request.response), body);
  // Names of fields, not values: a response can have pets.
  if (issues)
    throw new Error(`${newVersion} responds wrongly to ${request.title} in ${invalidFields(issues)}.`);

  // An empty list is right only if the live version finds nothing either.
  if (!v.is(jsonText(emptyList), body)) return;
  const liveVersion = newVersion.slice(0, newVersion.lastIndexOf(':') + 1) + liveAlias;
  const found = await invoke(liveVersion, request, deadline);
  if (v.is(jsonText(filledList), found))
    throw new Error(
      `${newVersion} finds nothing for ${request.title}, unlike ${liveVersion}: another table?`,
    );
}

async function invoke(FunctionName: string, { title, event }: HarmlessRequest, abortSignal: AbortSignal) {
  const command = new InvokeCommand({ FunctionName, Payload: JSON.stringify(event) });
  const { Payload } = await lambda.send(command, { abortSignal }).catch((cause: unknown) => {
    throw new Error(`${FunctionName} has no response to ${title}: ${cause}`, { cause });
  });
  return Payload?.transformToString();
}
