import { liveAlias, stackName } from '../../infra/stack-names.ts';
import { type Release, readDeployments, readFailures, readReleases, readVersions } from './aws.ts';
import type { Reading, Verb } from './read-stage.ts';
import { type Answer, answer, count, type Finding, formatTime, type Step, step } from './report.ts';
import { readUsedTables, type UsedTable } from './tables.ts';

type FunctionVersions = Awaited<ReturnType<typeof readVersions>>;

/** What is known of a stage's releases. What could not be read is undefined. */
interface RollbackFacts {
  readonly stage: string;
  readonly status: string;
  readonly to: string | undefined;
  readonly releases: readonly Release[] | undefined;
  readonly deployments: readonly string[] | undefined;
  readonly functions: readonly FunctionVersions[] | undefined;
  /** Why the last update or its rollback failed. */
  readonly failures: readonly string[] | undefined;
  readonly tables: readonly UsedTable[] | undefined;
}

/** Says how to go back to an earlier release: by default, to the one before. */
export const rollback: Verb<{ readonly to?: string }> = {
  role: 'on-call',
  run: async (reading, { to }) => {
    const facts = await read(reading, to);
    return { findings: findings(facts), ...nextOf(facts) };
  },
};

async function read(reading: Reading, to: string | undefined): Promise<RollbackFacts> {
  const { stage, stack, clients, attempt } = reading;
  const [application = ''] = stack?.idsOf('AWS::CodeDeploy::Application') ?? [];
  const groups = stack?.idsOf('AWS::CodeDeploy::DeploymentGroup') ?? [];
  // arn:aws:lambda:<region>:<account>:function:<name>:live
  const names = (stack?.idsOf('AWS::Lambda::Alias') ?? []).map((arn) => arn.split(':')[6] ?? '');
  const [releases, deployments, functions, failures, tables] = await Promise.all([
    attempt('releases', () => readReleases(clients, stage)),
    attempt('deployments', () => readDeployments(clients, application, groups)),
    attempt('versions', () => Promise.all(names.map((name) => readVersions(clients, name, liveAlias)))),
    attempt('events of the stack', () => readFailures(clients, stackName(stage))),
    attempt('tables', () => readUsedTables(clients, stage, stack?.outputs ?? {})),
  ]);
  const status = stack?.status ?? 'unknown';
  return { stage, status, to, releases, deployments, functions, failures, tables };
}

function findings({ stage, status, releases, deployments = [], functions = [] }: RollbackFacts) {
  const found: Finding[] = [['Stack', `${stackName(stage)} ${status}`]];
  for (const { commit, at, template = 'unknown' } of releases?.slice(0, 5) ?? []) {
    found.push(['Release', `${commit} at ${formatTime(at)}, template ${template}`]);
  }
  if (deployments.length > 0) found.push(['Deployments', `in progress: ${deployments.join(', ')}`]);
  for (const { name, live, versions } of functions) {
    const [newest] = versions;
    const text = newest ? `, newest ${newest.version} of ${formatTime(newest.at)}` : '';
    found.push(['Function', `${name}: ${liveAlias} is version ${live}${text}`]);
  }
  return found;
}

function nextOf(facts: RollbackFacts): Answer {
  const { stage, status } = facts;
  const again: Step = step('on-call', 'look again', `npm run stage -- rollback ${stage}`);
  if (status === 'UPDATE_IN_PROGRESS')
    return { ...duringUpdate(facts), steps: [...duringUpdate(facts).steps, again] };
  if (status === 'UPDATE_ROLLBACK_FAILED') return rollbackFailed(facts, again);
  if (status.endsWith('_IN_PROGRESS') && !status.includes('CLEANUP')) {
    return answer(`The stack is in ${status}: wait.`, again);
  }
  return afterUpdate(facts);
}

/** The release is in its canary, or hangs. */
function duringUpdate({ stage, deployments }: RollbackFacts): Answer {
  if (deployments && deployments.length > 0) {
    const commands = deployments.map(
      (id) => `aws deploy stop-deployment --auto-rollback-enabled --deployment-id ${id}`,
    );
    return answer(
      'A release is in progress. If its deployments are stopped, the stack rolls back by itself.',
      { text: 'stop the deployments of this release', role: 'on-call', commands },
    );
  }
  return answer(
    `An update is in progress, and ${deployments ? 'no deployment of functions' : 'its deployments could not be read'}.`,
    step(
      'on-call',
      'cancel the update, which rolls the stack back',
      `aws cloudformation cancel-update-stack --stack-name ${stackName(stage)}`,
    ),
  );
}

function rollbackFailed({ stage, failures = [] }: RollbackFacts, again: Step): Answer {
  return answer(
    `The rollback failed, and the stack accepts no update. ${failures.slice(0, 3).join('; ')}`,
    step(
      'on-call',
      'remove that cause, and continue. With --resources-to-skip <logical ids>, an administrator corrects those by hand',
      `aws cloudformation continue-update-rollback --stack-name ${stackName(stage)}`,
    ),
    again,
  );
}

/** Returns the releases that lead to what is deployed, newest first, and the one that was left last. */
function pathOf(releases: readonly Release[]) {
  const path: Release[] = [];
  let left: Release | undefined;
  for (const release of releases.toReversed()) {
    const earlier = path.findIndex(({ commit }) => commit === release.commit);
    left = undefined;
    // A, B, A: the stage went back from B, so that B leads nowhere.
    if (earlier >= 0) left = path.splice(earlier).at(-1);
    path.push(release);
  }
  return { path: path.reverse(), left };
}

function afterUpdate(facts: RollbackFacts): Answer {
  const { to, releases = [], status, failures = [], stage } = facts;
  const { path, left } = pathOf(releases);
  const [current, before] = path;
  if (left && current && left.commit !== current.commit && to === undefined) {
    const why =
      status === 'UPDATE_ROLLBACK_COMPLETE'
        ? ` It was rolled back: ${failures.slice(0, 2).join('; ') || 'the reason is in the events of the stack'}.`
        : '';
    return {
      conclusion: `${left.commit} is not deployed any more: ${current.commit} is, since ${formatTime(current.at)}.${why} To go further back: npm run stage -- rollback ${stage} --to <commit>.`,
      steps: revert(current, left, false),
    };
  }
  const good = to === undefined ? before : releases.find(({ commit }) => commit.startsWith(to));
  if (!current || !good || good === current) {
    return {
      conclusion:
        to === undefined ? 'No earlier release is recorded.' : `No earlier release of ${to} is recorded.`,
      steps: [{ text: 'correct the commit on main, and let the pipeline deploy it' }],
    };
  }
  if (current.template !== undefined && current.template === good.template) {
    const moved = moveAliases(facts, current, good);
    if (moved) return moved;
  }
  return deploy(facts, current, good);
}

/** A release records itself some minutes before or after its versions are published. */
const slackMilliseconds = 5 * 60 * 1000;

/** Only the code of functions differs, so that their earlier versions are the earlier release. */
function moveAliases(
  { functions, releases = [] }: RollbackFacts,
  current: Release,
  good: Release,
): Answer | undefined {
  const next = releases.filter(({ at }) => at > good.at).at(-1);
  const until = (next ?? current).at.getTime() - slackMilliseconds;
  const targets = functions?.map(({ name, live, versions }) => ({
    name,
    live,
    version: versions.find(({ at }) => at.getTime() <= until)?.version,
  }));
  if (!targets || targets.some(({ version }) => version === undefined)) return undefined;

  const moves = targets.filter(({ live, version }) => live !== version);
  if (moves.length === 0) {
    return {
      conclusion: `The aliases point to the versions of ${good.commit} already. Until a revert is deployed, the next deploy brings ${current.commit} back.`,
      steps: revert(good, current, true),
    };
  }
  const commands = moves.map(
    ({ name, version }) =>
      `aws lambda update-alias --function-name ${name} --name ${liveAlias} --function-version ${version} --routing-config AdditionalVersionWeights={}`,
  );
  return answer(
    `Since ${good.commit}, only the code of functions has changed: the versions of ${good.commit} can serve within seconds.`,
    { text: `point the aliases back to ${good.commit}`, role: 'on-call', commands },
    ...revert(good, current, true),
  );
}

function deploy(facts: RollbackFacts, current: Release, good: Release): Answer {
  const { stage } = facts;
  const commit = /^[0-9a-f]{7,40}$/.exec(good.commit)?.[0];
  if (!commit) {
    return answer(`${good.commit} cannot be deployed again: its changes are in no commit.`, {
      text: 'ask the team for them, or choose an earlier release',
      commands: [`npm run stage -- rollback ${stage} --to <commit>`],
    });
  }
  if (good.tables === undefined || good.tables !== current.tables) return otherTables(facts, commit, good);
  return answer(
    `Since ${commit}, more than the code of functions has changed, but not the tables: a deploy of ${commit} goes back.`,
    step(
      'deploy',
      'deploy it, without check and canary. It replaces no table',
      'git fetch',
      `git switch --detach ${commit}`,
      'npm ci',
      `npx cdk deploy ${stackName(stage)} -c fixForward=true`,
      'git switch main',
    ),
    ...revert(good, current, false),
  );
}

/** Neither the commit nor a revert leads back: a stack that no longer has a table creates an empty one. */
function otherTables({ stage, tables }: RollbackFacts, commit: string, good: Release): Answer {
  const settings = tables?.flatMap(({ id, others }) =>
    others.map(({ name, table }) => `${id}: '${name}' (${count(table?.ItemCount ?? 0)} items)`),
  );
  const found = settings?.join(' or ') || `a table of which you know that ${commit} used it`;
  return answer(
    `The tables of ${commit} ${good.tables ? 'differ' : 'may differ: its release has recorded no digest'}. Neither deploy it nor revert to it: that could create an empty table.`,
    step(
      'deploy',
      `on main, set restoredTables of ${stage} in infra/settings/stages.ts to the table that is not used: ${found}. See that no table is created, destroyed or replaced`,
      `npx cdk diff ${stackName(stage)}`,
    ),
  );
}

/** Returns what has to follow, because `main` still has the bad commit. */
function revert(good: Release, bad: Release, isAliasMoved: boolean): readonly Step[] {
  const range = [good, bad].map(({ commit }) => commit.replace(/-dirty$/, '')).join('..');
  const pipeline: Step = isAliasMoved
    ? {
        text: 'deploy the revert without canary, which the moved aliases or a firing alarm would stop. First cancel the run that the merge has started (gh run list, gh run cancel)',
        commands: ['gh workflow run deploy.yml -f fixForward=true'],
      }
    : { text: 'let the pipeline deploy the revert: with -f fixForward=true while an alarm still fires' };
  return [
    {
      text: 'revert on main what is between, and approve no deploy before (for a merge commit: -m 1)',
      commands: ['git fetch', 'git switch --create revert origin/main', `git revert --no-edit ${range}`],
    },
    pipeline,
  ];
}
