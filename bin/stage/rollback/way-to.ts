import { unknownCommit } from '../../../infra/release/release-record.ts';
import { liveAlias, stackName } from '../../../infra/stack-names.ts';
import { type Alias, isAt, readExisting, type Version } from '../aws/aliases.ts';
import { commitInGit, dirty, type Release, sameAs, shortCommit } from '../aws/releases.ts';
import { command } from '../command.ts';
import { derive, type Fact, read } from '../fact.ts';
import type { Reading } from '../read-stage.ts';
import { type Finding, finding, type Step, step } from '../report.ts';
import { onMain } from './on-main.ts';

/** Where a way leads from and to. */
export interface Way {
  readonly aliases: readonly Alias[];
  /** What the stack has. */
  readonly current: Release;
  /** What shall get all requests: `current`, if that is known to be the same. */
  readonly chosen: Release;
}

interface Known {
  readonly releases: readonly Release[];
  readonly aliases: readonly Alias[];
}

/** Returns the way to the newest release of a commit, or what is wrong with the choice. */
export function findWay({ releases, aliases }: Known, to: string): Way | Finding {
  const [current] = releases;
  const found = releases.filter((release) => isNamed(release, to));
  const [chosen] = found;
  if (!current || !chosen) return finding(`No release of ${to} is recorded.`);
  if (new Set(found.map(({ commit }) => commit)).size > 1) {
    return finding(`Several releases begin with ${to}.`, { text: 'pass more of the commit' });
  }
  return { aliases, current, chosen: sameAs(chosen, releases).includes(current) ? current : chosen };
}

/** Whether a text is the beginning of a release's commit, with `-dirty` if that has it. */
const isNamed = (release: Release, text: string): boolean =>
  commitInGit(release).startsWith(commitInGit({ commit: text })) &&
  release.commit.endsWith(dirty) === text.endsWith(dirty);

/** Says how a release gets all requests, by the aliases or by a deploy, and what follows on `main`. */
export async function describeWay({ stage, clients, attempt }: Reading, way: Way): Promise<Fact<Finding>> {
  const { aliases, current, chosen } = way;
  const name = shortCommit(chosen);
  const moves = aliases.filter((alias) => !isAt(alias, chosen.versions[alias.functionName]));
  const isMoved = chosen !== current;
  if (moves.length === 0) {
    const until = isMoved ? `, until the next deploy brings ${shortCommit(current)} back` : '';
    return read(finding(`${name} serves all requests${until}.`, ...onMain(chosen, isMoved)));
  }
  const differs = `${shortCommit(current)} differs from ${name}`;
  if (current.template === undefined || current.template !== chosen.template) {
    return read(deploy(stage, way, `${differs} in more than code.`));
  }
  const targets = moves.flatMap(({ functionName }): readonly Version[] => {
    const version = chosen.versions[functionName];
    return version === undefined ? [] : [{ functionName, version }];
  });
  if (targets.length < moves.length) {
    return read(deploy(stage, way, `${name} records no versions of functions.`));
  }
  const existing = await attempt('versions', {}, () => readExisting(clients, targets));
  return derive(existing, (versions) => {
    const lost = targets.find((target) => !versions.includes(target));
    if (lost) {
      return deploy(stage, way, `Version ${lost.version} of ${lost.functionName} does not exist any more.`);
    }
    const says = isMoved
      ? `${differs} only in code.`
      : `The stack has ${name}, but the aliases point elsewhere.`;
    return finding(says, pointTo(name, targets), ...onMain(chosen, isMoved));
  });
}

/** Lets the versions of a release serve all requests. */
function pointTo(name: string, targets: readonly Version[]): Step {
  const commands = targets.map(
    ({ functionName, version }) =>
      command`aws lambda update-alias --function-name ${functionName} --name ${liveAlias} --function-version ${version} --routing-config AdditionalVersionWeights={}`,
  );
  return step('on-call', `point the aliases to the versions of ${name}`, ...commands);
}

function deploy(stage: string, { current, chosen }: Way, why: string): Finding {
  const commit = commitInGit(chosen);
  if (commit === unknownCommit) return finding(`${why} Nobody knows its commit.`);
  // Neither the commit nor a revert leads back: CloudFormation lets go of a table, or replaces it by an empty one.
  if (chosen.tables === undefined || chosen.tables !== current.tables) {
    const tables = chosen.tables === undefined || current.tables === undefined ? 'may differ' : 'differ';
    return finding(
      `${why} Its tables or their keys ${tables}, so neither deploy it nor revert to it, which could bring an empty table.`,
      {
        text: 'correct the commit on main, leave the tables as they are, and deploy the correction (docs/pipeline.md#deploy-with-fixforward)',
      },
    );
  }
  const lacks = commit === chosen.commit ? '' : ' Git lacks its uncommitted changes.';
  return finding(
    `${why} Its tables have the same keys, so a deploy leads back.${lacks}`,
    {
      text: `check out ${commit}`,
      commands: [
        command`git fetch`,
        // A record may name any commit, and npm ci runs what the commit says.
        command`git merge-base --is-ancestor ${commit} origin/main && git switch --detach ${commit} && npm ci`,
      ],
    },
    step('deploy', 'see what a deploy changes', command`npx cdk diff ${stackName(stage)} --exclusively`),
    // Neither the release check nor a canary may stop it.
    step(
      'deploy',
      'deploy it, if no table is created, replaced or deleted',
      command`git diff --quiet ${commit} && npx cdk deploy ${stackName(stage)} --exclusively -c fixForward=true`,
    ),
    { text: 'return to main', commands: [command`git switch main`, command`npm ci`] },
    ...onMain(chosen, false),
  );
}
