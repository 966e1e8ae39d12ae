import { type DeploymentStatus, paginateListDeployments } from '@aws-sdk/client-codedeploy';
import { unknownCommit } from '../../../infra/release/release-record.ts';
import { readAliases } from '../aws/aliases.ts';
import { all, type Clients } from '../aws/clients.ts';
import { commitInGit, type Release, readReleases } from '../aws/releases.ts';
import { readFailure, type Stack } from '../aws/stack.ts';
import { command } from '../command.ts';
import { derive, type Fact, infer, read, type Values } from '../fact.ts';
import { deployedStack, type Reading, type Verb } from '../read-stage.ts';
import { concluded, type Finding, finding } from '../report.ts';
import { aliasText, mostReleases, readHistory } from './history.ts';
import { causeText, findState } from './stack-state.ts';
import { describeWay, findWay, type Way } from './way-to.ts';

/** Lists the last releases, or says how one of them gets all requests. */
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
    const facts = { stack, releases, aliases, deployments };
    const state = (known: Values<typeof facts>) => findState(known, causeText(failure));
    const figures = {
      Stack: stack.isRead ? [stackText(stack.value, failure)] : [],
      Aliases: aliases.isRead
        ? aliases.value.map((alias) => aliasText(alias, releases.isRead ? releases.value : undefined))
        : [],
    };
    if (to === undefined) {
      const findings = infer(facts, (known) => [state(known) ?? [], chooseOf(stage, known.releases)].flat());
      return {
        findings: concluded(findings),
        because: { ...(await readHistory(reading, facts)), ...figures },
      };
    }
    const way = infer(facts, (known) => state(known) ?? findWay(known, to));
    const found = await settle(reading, way);
    return { findings: concluded(derive(found, (one) => [one])), because: figures };
  },
};

/** Asks which release shall get all requests. */
function chooseOf(stage: string, releases: readonly Release[]): Finding {
  if (releases.length === 0) return finding('No release is recorded.');
  const commits = releases.slice(0, mostReleases).map(commitInGit);
  const known = commits.filter((commit) => commit !== unknownCommit);
  return finding(
    'Choose the release that shall get all requests.',
    {
      text: 'see what the commits say',
      commands: [
        command`git fetch`,
        command`git log --no-walk=unsorted --ignore-missing --oneline ${[...new Set(known)]}`,
      ],
    },
    { text: `pass the commit: npm run stage -- rollback ${stage} --to <commit>` },
  );
}

/** Looks up whether a way can be gone. */
async function settle(reading: Reading, way: Fact<Finding | Way>): Promise<Fact<Finding>> {
  if (!way.isRead) return way;
  return 'chosen' in way.value ? describeWay(reading, way.value) : read(way.value);
}

function stackText({ name, status }: Stack, failure: Fact<string | undefined>): string {
  return status.startsWith('UPDATE_ROLLBACK')
    ? `${name} ${status}: ${causeText(failure)}`
    : `${name} ${status}`;
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
