import { type DeploymentStatus, paginateListDeployments } from '@aws-sdk/client-codedeploy';
import { all, type Clients } from '../aws/clients.ts';
import { readReleases } from '../aws/releases.ts';
import { readFailure, type Stack } from '../aws/stack.ts';
import type { Values } from '../fact.ts';
import { deployedStack, type Reading } from '../read-stage.ts';
import { readAliases } from './aliases.ts';

/** What a way back depends on. */
export type RollbackFacts = Awaited<ReturnType<typeof readRollbackFacts>>;
export type Known = Values<RollbackFacts>;

/** Reads what is deployed, what serves, and what is in progress. */
export async function readRollbackFacts(reading: Reading) {
  const { stage, clients, attempt } = reading;
  const stack = deployedStack(reading);
  const [releases, aliases, deployments, failure] = await Promise.all([
    attempt('releases', {}, () => readReleases(clients, stage)),
    attempt('aliases', { stack }, (known) => readAliases(clients, known.stack)),
    attempt('deployments', { stack }, (known) => readDeployments(clients, known.stack)),
    attempt('failures', { stack }, (known) => readFailure(clients, known.stack)),
  ]);
  return { stack, releases, aliases, deployments, failure };
}

/** Reads the ids of the deployments in progress. */
async function readDeployments({ codeDeploy: client }: Clients, stack: Stack) {
  const applicationName = stack.idOf('AWS::CodeDeploy::Application');
  const includeOnlyStatuses: DeploymentStatus[] = ['Created', 'Queued', 'InProgress', 'Ready'];
  const lists = stack.idsOf('AWS::CodeDeploy::DeploymentGroup').map((deploymentGroupName) => {
    const input = { applicationName, deploymentGroupName, includeOnlyStatuses };
    return all(paginateListDeployments({ client }, input), ({ deployments }) => deployments);
  });
  return (await Promise.all(lists)).flat();
}
