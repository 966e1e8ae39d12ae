import { CodeDeployClient, PutLifecycleEventHookExecutionStatusCommand } from '@aws-sdk/client-codedeploy';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as v from 'valibot';
import { invalidFields } from '../../shared/contract/errors/parse.ts';
import { operations } from '../../shared/contract/operations.ts';
import { environmentVariable } from '../../shared/lambda/environment.ts';
import { capitalize } from '../settings/stage-names.ts';
import { authorizerRequest, type HarmlessRequest, jsonText, operationRequests } from './harmless-requests.ts';

const HookEvent = v.object({ DeploymentId: v.string(), LifecycleEventHookExecutionId: v.string() });

const lambda = new LambdaClient();
const codeDeploy = new CodeDeployClient();

const requests = {
  Authorizer: [authorizerRequest(environmentVariable('STAGE'))],
  ...Object.fromEntries(
    Object.values(operations).map((each) => [capitalize(each.operationId), operationRequests(each)]),
  ),
};

/**
 * Checks the versions of a release: a deployment sends them requests only after `Succeeded`.
 * https://docs.aws.amazon.com/codedeploy/latest/userguide/reference-appspec-file-structure-hooks.html
 */
export async function handler(event: unknown): Promise<void> {
  const { DeploymentId, LifecycleEventHookExecutionId } = v.parse(HookEvent, event);
  const checks = Object.entries(requests).flatMap(([name, all]) =>
    all.map((request) => check(environmentVariable(name), request)),
  );

  const results = await Promise.allSettled(checks);
  const problems = results.flatMap((result) => (result.status === 'rejected' ? [`${result.reason}`] : []));
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
async function check(FunctionName: string, { title, event, response }: HarmlessRequest): Promise<void> {
  const { Payload } = await lambda.send(new InvokeCommand({ FunctionName, Payload: JSON.stringify(event) }));
  const { issues } = v.safeParse(jsonText(response), Payload?.transformToString());
  // Names of fields, not values: a response can have pets.
  if (issues) throw new Error(`${FunctionName} responds wrongly to ${title} in ${invalidFields(issues)}.`);
}
