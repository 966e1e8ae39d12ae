import { liveAlias, stackName } from '../../infra/stack-names.ts';
import { type Release, readDeployments, readFailures, readReleases, readVersions } from './aws.ts';
import type { Reading, Verb } from './read-stage.ts';
import { count, type Figure, type Finding, finding, formatTime, type Step, step } from './report.ts';
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
    return { findings: [nextOf(facts)], because: figures(facts) };
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

function figures({ stage, status, releases = [], deployments = [], functions = [] }: RollbackFacts) {
  const found: Figure[] = [['Stack', `${stackName(stage)} ${status}`]];
  for (const { commit, at, template = 'unknown' } of releases.slice(0, 5)) {
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

function nextOf(facts: RollbackFacts): Finding {
  const { stage, status, deployments, failures = [] } = facts;
  const stack = stackName(stage);
  const again = step('on-call', 'look again', `npm run stage -- rollback ${stage}`);
  if (status === 'UPDATE_IN_PROGRESS' && deployments && deployments.length > 0) {
    const stop = (id: string) => `aws deploy stop-deployment --auto-rollback-enabled --deployment-id ${id}`;
    return finding(
      'A release is in progress.',
      step('on-call', 'stop its deployments, and the stack rolls back by itself', ...deployments.map(stop)),
      again,
    );
  }
  if (status === 'UPDATE_IN_PROGRESS') {
    return finding(
      `An update is in progress, and ${deployments ? 'no deployment of functions' : 'its deployments could not be read'}.`,
      step(
        'on-call',
        'cancel it, and the stack rolls back',
        `aws cloudformation cancel-update-stack --stack-name ${stack}`,
      ),
      again,
    );
  }
  if (status === 'UPDATE_ROLLBACK_FAILED') {
    return finding(
      `The rollback failed, and the stack accepts no update. ${failures.slice(0, 3).join('; ')}`,
      step(
        'on-call',
        'remove that cause, and continue. With --resources-to-skip <logical ids>, an administrator corrects those by hand',
        `aws cloudformation continue-update-rollback --stack-name ${stack}`,
      ),
      again,
    );
  }
  return status.endsWith('_IN_PROGRESS') && !status.includes('CLEANUP')
    ? finding(`The stack is in ${status}.`, { ...again, text: 'wait, and look again' })
    : afterUpdate(facts);
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

function afterUpdate(facts: RollbackFacts): Finding {
  const { to, releases = [], status, failures = [], stage } = facts;
  const { path, left } = pathOf(releases);
  const [current, before] = path;
  if (left && current && left.commit !== current.commit && to === undefined) {
    const why =
      status === 'UPDATE_ROLLBACK_COMPLETE'
        ? ` It was rolled back: ${failures.slice(0, 2).join('; ') || 'the events of the stack say why'}.`
        : '';
    return finding(
      `${left.commit} is not deployed any more: ${current.commit} is, since ${formatTime(current.at)}.${why}`,
      ...revert(current, left, false),
      step('on-call', 'to go further back', `npm run stage -- rollback ${stage} --to <commit>`),
    );
  }
  const good = to === undefined ? before : releases.find(({ commit }) => commit.startsWith(to));
  if (!current || !good || good === current) {
    return finding(`No earlier release${to === undefined ? '' : ` of ${to}`} is recorded.`, {
      text: 'correct the commit on main, and let the pipeline deploy it',
    });
  }
  const isOnlyCode = current.template !== undefined && current.template === good.template;
  return (isOnlyCode && moveAliases(facts, current, good)) || deploy(facts, current, good);
}

/** A release records itself some minutes before or after its versions are published. */
const slackMilliseconds = 5 * 60 * 1000;

/** Only the code of functions differs, so that their earlier versions are the earlier release. */
function moveAliases(
  { functions, releases = [], stage }: RollbackFacts,
  current: Release,
  good: Release,
): Finding | undefined {
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
    return finding(
      `The aliases point to ${good.commit} again, until the next deploy brings ${current.commit} back.`,
      ...revert(good, current, true),
    );
  }
  const commands = moves.map(
    ({ name, version }) =>
      `aws lambda update-alias --function-name ${name} --name ${liveAlias} --function-version ${version} --routing-config AdditionalVersionWeights={}`,
  );
  return finding(
    `Only code has changed since ${good.commit}.`,
    step('on-call', 'point the aliases back', ...commands),
    step(
      'on-call',
      'see how to revert the commit: until then, nobody deploys',
      `npm run stage -- rollback ${stage}`,
    ),
  );
}

function deploy(facts: RollbackFacts, current: Release, good: Release): Finding {
  const { stage } = facts;
  const commit = /^[0-9a-f]{7,40}$/.exec(good.commit)?.[0];
  if (!commit) {
    return finding(
      `${good.commit} cannot be deployed again: its changes are in no commit.`,
      step(
        'on-call',
        'ask the team for them, or choose an earlier release',
        `npm run stage -- rollback ${stage} --to <commit>`,
      ),
    );
  }
  if (good.tables === undefined || good.tables !== current.tables) return otherTables(facts, commit, good);
  return finding(
    `More than code has changed since ${commit}, but no table.`,
    step(
      'deploy',
      `deploy ${commit}, without check and canary`,
      'git fetch',
      `git switch --detach ${commit}`,
      'npm ci',
      `npx cdk deploy ${stackName(stage)} -c fixForward=true`,
      'git switch main',
    ),
    step(
      'on-call',
      'see how to revert the commit: until then, nobody deploys',
      `npm run stage -- rollback ${stage}`,
    ),
  );
}

/** Neither the commit nor a revert leads back: a stack that no longer has a table creates an empty one. */
function otherTables({ stage, tables }: RollbackFacts, commit: string, good: Release): Finding {
  const settings = tables?.flatMap(({ id, others }) =>
    others.map(({ name, table }) => `${id}: '${name}' (${count(table?.ItemCount ?? 0)} items)`),
  );
  const found = settings?.join(' or ') || `a table of which you know that ${commit} used it`;
  return finding(
    `The tables of ${commit} ${good.tables ? 'differ' : 'may differ: its release has recorded no digest'}. Neither deploy it nor revert to it, which could create an empty table.`,
    step(
      'deploy',
      `on main, set restoredTables of ${stage} in infra/settings/stages.ts to the table that is not used: ${found}. Deploy with fixForward if this creates, destroys and replaces no table`,
      `npx cdk diff ${stackName(stage)}`,
    ),
  );
}

/** Returns what has to follow, because `main` still has the bad commit. */
function revert(good: Release, bad: Release, isAliasMoved: boolean): readonly Step[] {
  const range = [good, bad].map(({ commit }) => commit.replace(/-dirty$/, '')).join('..');
  const pipeline: Step = isAliasMoved
    ? {
        text: 'merge, cancel the run that this starts (gh run list, gh run cancel), which the moved aliases would stop, and deploy without the canary',
        commands: ['gh workflow run deploy.yml -f fixForward=true'],
      }
    : { text: 'merge, and let the pipeline deploy it: with -f fixForward=true while an alarm still fires' };
  return [
    {
      text: 'revert what is between, and approve no deploy before (for a merge commit: -m 1)',
      commands: ['git fetch', 'git switch --create revert origin/main', `git revert --no-edit ${range}`],
    },
    pipeline,
  ];
}
