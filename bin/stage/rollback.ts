import { type DeploymentStatus, paginateListDeployments } from '@aws-sdk/client-codedeploy';
import { GetAliasCommand, paginateListVersionsByFunction } from '@aws-sdk/client-lambda';
import { liveAlias, stackName } from '../../infra/stack-names.ts';
import { all, type Clients } from './aws/clients.ts';
import { type Release, readReleases } from './aws/releases.ts';
import { readFailure, type Stack } from './aws/stack.ts';
import { readTables } from './aws/tables.ts';
import { command } from './command.ts';
import { commitInGit, deployByHand, setTable } from './deploys.ts';
import type { Fact } from './fact.ts';
import { deployedStack, type Reading, type Verb } from './read-stage.ts';
import { type Figures, type Finding, finding, formatTime, type Step, step, tableText } from './report.ts';

type Facts = Awaited<ReturnType<typeof read>>;

/** Says how to go back to an earlier release: by default, to the one before. */
export const rollback: Verb<{ readonly to?: string }> = {
  role: 'on-call',
  run: async (reading, { to }) => {
    const facts = await read(reading, to);
    const next = updating(facts) ?? rolledBack(facts) ?? goBack(facts);
    return { findings: [next], because: figures(facts) };
  },
};

const shown = <T>(fact: Fact<T>) => (fact.isRead ? fact.value : undefined);

async function read(reading: Reading, to: string | undefined) {
  const { stage, clients, attempt } = reading;
  const stack = deployedStack(reading);
  const [releases, deployments, functions, failure, used] = await Promise.all([
    attempt('releases', {}, () => readReleases(clients, stage)),
    attempt('deployments', { stack }, ({ stack }) => readDeployments(clients, stack)),
    attempt('versions', { stack }, ({ stack }) => {
      // arn:aws:lambda:<region>:<account>:function:<name>:live
      const names = stack.idsOf('AWS::Lambda::Alias').map((arn) => arn.split(':')[6] ?? '');
      return Promise.all(names.map((name) => readVersions(clients, name)));
    }),
    attempt('failures', {}, () => readFailure(clients, stackName(stage))),
    attempt('tables', { stack }, ({ stack }) => readTables(clients, stage, stack.outputs)),
  ]);
  const status = shown(stack)?.status ?? 'unknown';
  return {
    stage,
    status,
    to,
    releases: shown(releases),
    ...pathOf(shown(releases)),
    deployments: shown(deployments),
    functions: shown(functions),
    failure: shown(failure),
    used: shown(used),
  };
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

/** Reads the version to which the alias points, and all published versions, newest first. */
async function readVersions({ lambda: client }: Clients, FunctionName: string) {
  const alias = await client.send(new GetAliasCommand({ FunctionName, Name: liveAlias }));
  const pages = paginateListVersionsByFunction({ client }, { FunctionName });
  const versions = (await all(pages, ({ Versions }) => Versions))
    .filter(({ Version }) => Version !== '$LATEST')
    .map(({ Version = '', LastModified = '' }) => ({ version: Version, at: new Date(LastModified) }))
    .toSorted((a, b) => b.at.getTime() - a.at.getTime());
  return { name: FunctionName, live: `${alias.FunctionVersion}`, versions };
}

/** Returns the release that is deployed, the one before, and the one that was left last. */
function pathOf(releases: readonly Release[] = []) {
  const path: Release[] = [];
  let left: Release | undefined;
  for (const release of releases.toReversed()) {
    const earlier = path.findIndex(({ commit }) => commit === release.commit);
    // A, B, A: the stage went back from B, so that B leads nowhere.
    left = earlier < 0 ? undefined : path.splice(earlier).at(-1);
    path.push(release);
  }
  return { current: path.at(-1), before: path.at(-2), left };
}

const figures = ({ stage, status, releases, deployments, functions }: Facts): Figures => ({
  Stack: [`${stackName(stage)} ${status}`],
  Release: releases
    ?.slice(0, 5)
    .map(({ commit, at, template = 'unknown' }) => `${commit} at ${formatTime(at)}, template ${template}`),
  Deployment: deployments?.map((id) => `in progress: ${id}`),
  Function: functions?.map(
    ({ name, live, versions }) => `${name}: ${liveAlias} is version ${live} of ${versions[0]?.version}`,
  ),
});

/** The stack is being updated, or its rollback failed. */
function updating({ stage, status, deployments, failure }: Facts): Finding | undefined {
  const name = stackName(stage);
  if (status === 'UPDATE_ROLLBACK_FAILED') {
    return finding(
      `The rollback failed, and the stack accepts no update. ${failure ?? 'Why could not be read.'}`,
      step(
        'on-call',
        'remove that cause, and continue. With --resources-to-skip <logical ids>, an administrator corrects those by hand',
        command`aws cloudformation continue-update-rollback --stack-name ${name}`,
      ),
    );
  }
  if (status === 'UPDATE_IN_PROGRESS') {
    const stops = deployments?.map(
      (id) => command`aws deploy stop-deployment --auto-rollback-enabled --deployment-id ${id}`,
    );
    const cancel = command`aws cloudformation cancel-update-stack --stack-name ${name}`;
    return finding(
      'A release is in progress.',
      stops?.length
        ? step('on-call', 'stop its deployments, and the stack rolls back by itself', ...stops)
        : step('on-call', 'no deployment is known: cancel the update, and the stack rolls back', cancel),
    );
  }
  return status.endsWith('_IN_PROGRESS') && !status.includes('CLEANUP')
    ? finding(`The stack is in ${status}.`, { text: 'wait' })
    : undefined;
}

/** The stage went back to an earlier release. */
function rolledBack({ stage, to, current, left, failure, status }: Facts): Finding | undefined {
  if (!left || !current || left.commit === current.commit || to !== undefined) return undefined;
  const why =
    status === 'UPDATE_ROLLBACK_COMPLETE'
      ? ` It was rolled back: ${failure ?? 'why could not be read'}.`
      : '';
  return finding(
    `${left.commit} is not deployed any more: ${current.commit} is, since ${formatTime(current.at)}.${why}`,
    ...revert(current, left, false),
    step('on-call', 'to go further back', command`npm run stage -- rollback ${stage} --to <commit>`),
  );
}

function goBack(facts: Facts): Finding {
  const { to, releases, current } = facts;
  if (!releases) return finding('The releases could not be read, so the figures allow no conclusion.');
  const good = to === undefined ? facts.before : releases.find(({ commit }) => commit.startsWith(to));
  if (!current || !good || good === current) {
    return finding(`No earlier release${to === undefined ? '' : ` of ${to}`} is recorded.`, {
      text: 'correct the commit on main, and let the pipeline deploy it',
    });
  }
  const isOnlyCode = current.template !== undefined && current.template === good.template;
  if (isOnlyCode) return moveAliases(facts, current, good) ?? deploy(facts, good);
  // Neither the commit nor a revert leads back: a stack that no longer has a table creates an empty one.
  if (good.tables === undefined || good.tables !== current.tables) return useOtherTable(facts, current, good);
  return deploy(facts, good);
}

/** A release records itself some minutes before or after its versions are published. */
const slackMilliseconds = 5 * 60 * 1000;

/** The next run says how. */
const untilReverted: Step = {
  text: 'run this command again, which explains how to revert the commit: until then, nobody else deploys',
};

/** Only the code of functions differs, so that their earlier versions are the earlier release. */
function moveAliases({ functions, releases = [] }: Facts, current: Release, good: Release) {
  const next = releases.findLast(({ at }) => at > good.at) ?? current;
  const until = next.at.getTime() - slackMilliseconds;
  const targets = functions?.map(({ name, live, versions }) => ({
    name,
    live,
    version: versions.find(({ at }) => at.getTime() <= until)?.version,
  }));
  if (!targets || targets.some(({ version }) => version === undefined)) return undefined;
  const moves = targets.filter(({ live, version }) => live !== version);
  if (moves.length === 0) {
    return finding(
      `The aliases point to ${good.commit} again, until the next deploy brings ${current.commit} back.`,
      ...revert(good, current, true),
    );
  }
  const commands = moves.map(
    ({ name, version }) =>
      command`aws lambda update-alias --function-name ${name} --name ${liveAlias} --function-version ${version ?? ''} --routing-config AdditionalVersionWeights={}`,
  );
  return finding(
    `Only code has changed since ${good.commit}.`,
    step('on-call', 'point the aliases back', ...commands),
    untilReverted,
  );
}

function deploy({ stage }: Facts, good: Release): Finding {
  const commit = commitInGit(good.commit);
  const lacks = commit === good.commit ? '' : ' Git lacks its uncommitted changes.';
  return finding(
    `More than code has changed since ${good.commit}, which uses the same tables.${lacks}`,
    {
      text: `check out ${commit}`,
      commands: [command`git fetch`, command`git switch --detach ${commit}`, command`npm ci`],
    },
    ...deployByHand(stage),
    { ...untilReverted, commands: [command`git switch main`, command`npm ci`] },
  );
}

function useOtherTable({ stage, used = [] }: Facts, current: Release, { commit, tables }: Release): Finding {
  const withOthers = used.filter(({ others }) => others.length > 0);
  const unused = withOthers.flatMap(({ id, others }) => others.map((other) => `${id}: ${tableText(other)}`));
  return finding(
    `The tables of ${commit} ${tables ? 'differ' : 'may differ: its release has recorded no digest'}. Neither deploy it nor revert to it, which could create an empty table.`,
    ...setTable(
      stage,
      current.commit,
      `the table that is not used: ${unused.join(' or ') || 'one that you know'}`,
    ),
    ...deployByHand(stage, withOthers.map(({ id }) => id).join(' and ') || 'the one that you set'),
    { text: 'merge this into main, and approve no deploy before' },
  );
}

/** Returns what has to follow, because `main` still has the bad commit. */
function revert(good: Release, bad: Release, isAliasMoved: boolean): readonly Step[] {
  const from = commitInGit(good.commit);
  const to = commitInGit(bad.commit);
  if (from === to)
    return [{ text: 'discard the uncommitted changes, wherever they are: git has none to revert' }];
  return [
    {
      text: 'revert what is between, and approve no deploy before',
      commands: [
        command`git fetch`,
        command`git switch --create revert-${to} origin/main`,
        // With -m 1, also merge commits, but not what they merged again.
        command`git revert --no-edit -m 1 $(git rev-list --first-parent ${from}..${to}) && git push origin revert-${to}`,
      ],
    },
    {
      // Moved aliases stop a release with a canary.
      text: `merge. ${isAliasMoved ? 'Before it deploys' : 'While an alarm still fires'}, cancel the run that this starts, start another, and approve that (too late, or no pipeline: docs/pipeline.md#deploy-with-fixforward)`,
      commands: [
        command`git fetch`,
        command`gh run cancel $(gh run list --workflow deploy.yml --commit $(git rev-parse origin/main) --json databaseId --jq '.[0].databaseId')`,
        command`gh workflow run deploy.yml -f fixForward=true`,
      ],
    },
    {
      text: `after that deploy, run triage instead of this, which would then lead back to ${bad.commit}`,
    },
  ];
}
