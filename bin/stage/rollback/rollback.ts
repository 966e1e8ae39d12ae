import { type DeploymentStatus, paginateListDeployments } from '@aws-sdk/client-codedeploy';
import { stackName } from '../../../infra/stack-names.ts';
import { type Alias, readAliases, releaseOf } from '../aws/aliases.ts';
import { all, type Clients } from '../aws/clients.ts';
import { type Release, readReleases, shortCommit } from '../aws/releases.ts';
import { readFailure, type Stack } from '../aws/stack.ts';
import { derive, type Fact, infer, read } from '../fact.ts';
import { deployedStack, type Reading, type Verb } from '../read-stage.ts';
import { concluded, type Finding, formatTime } from '../report.ts';
import { goBack } from './go-back.ts';
import { causeText, findState } from './stack-state.ts';
import { type Way, wayTo } from './way-to.ts';

/** Says how to go back to an earlier release: by default, to the one before. */
export const rollback: Verb<{ readonly to?: string }> = {
  role: 'on-call',
  run: async (reading, { to }) => {
    const { stage, clients, attempt } = reading;
    const stack = deployedStack(reading);
    const [releases, aliases, deployments, failure] = await Promise.all([
      attempt('releases', {}, () => readReleases(clients, stage)),
      attempt('aliases', { stack }, (known) => readAliases(clients, known.stack)),
      attempt('deployments', { stack }, (known) => readDeployments(clients, known.stack)),
      attempt('failures', { stack }, (known) => readFailure(clients, known.stack)),
    ]);
    const cause = causeText(failure);
    const next = infer(
      { stack, releases, aliases, deployments },
      (known) => findState(known, cause) ?? goBack(known, cause, to),
    );
    const found = await settle(reading, next);
    const recorded = releases.isRead ? releases.value : [];
    return {
      findings: concluded(derive(found, (one) => [one])),
      because: {
        Stack: stack.isRead ? [`${stackName(stage)} ${stack.value.status}`] : [],
        Release: recorded.slice(0, 5).map((release) => {
          const { at, template = 'unknown' } = release;
          return `${shortCommit(release)} at ${formatTime(at)}, template ${template}`;
        }),
        Deployment: deployments.isRead ? deployments.value.map((id) => `in progress: ${id}`) : [],
        Alias: aliases.isRead ? aliases.value.map((alias) => aliasText(alias, recorded)) : [],
      },
    };
  },
};

/** Looks up whether a way can be gone. */
async function settle(reading: Reading, next: Fact<Finding | Way>): Promise<Fact<Finding>> {
  if (!next.isRead) return next;
  return 'good' in next.value ? wayTo(reading, next.value) : read(next.value);
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

/** Describes what an alias serves, with the commits that first had these versions. */
function aliasText({ functionName, version, shares }: Alias, releases: readonly Release[]): string {
  const textOf = (number: string) => {
    const first = releaseOf({ functionName, version: number }, releases);
    return `version ${number} (${first ? shortCommit(first) : 'in no record'})`;
  };
  const others = Object.entries(shares).map(([number, share]) => `, ${share * 100}% ${textOf(number)}`);
  return `${functionName}: ${textOf(version)}${others.join('')}`;
}
