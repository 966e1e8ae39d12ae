import { unknownCommit } from '../../../infra/release/release-record.ts';
import { liveAlias, stackName } from '../../../infra/stack-names.ts';
import { type Alias, isAt, readExisting, type Version } from '../aws/aliases.ts';
import { type Release, shortCommit } from '../aws/releases.ts';
import { command } from '../command.ts';
import { derive, type Fact, read } from '../fact.ts';
import type { Reading } from '../read-stage.ts';
import { type Finding, finding, type Step, step } from '../report.ts';
import { commitInGit } from './release-path.ts';

/** Where a way leads from and to. */
export interface Way {
  readonly aliases: readonly Alias[];
  /** What the stack has. */
  readonly current: Release;
  readonly good: Release;
}

export const correct: Step = { text: 'correct the commit on main, and let the pipeline deploy it' };

/** Says how a release gets all requests: by the aliases, if its versions exist, or by a deploy. */
export async function wayTo({ stage, clients, attempt }: Reading, way: Way): Promise<Fact<Finding>> {
  const { aliases, current, good } = way;
  const name = shortCommit(good);
  const differs = `${shortCommit(current)} differs from ${name}`;
  if (current.template === undefined || current.template !== good.template) {
    return read(deploy(stage, way, `${differs} in more than code.`));
  }
  const moves = aliases.filter((alias) => !isAt(alias, good.versions[alias.functionName]));
  if (moves.length === 0) return read(finding(`${name} serves all requests.`, correct));
  const targets = moves.flatMap(({ functionName }): readonly Version[] => {
    const version = good.versions[functionName];
    return version === undefined ? [] : [{ functionName, version }];
  });
  if (targets.length < moves.length) {
    return read(deploy(stage, way, `${name} records no versions of functions.`));
  }
  const known = await attempt('versions', {}, () => readExisting(clients, targets));
  return derive(known, (existing) => {
    const first = targets.find((target) => !existing.includes(target));
    if (!first) return finding(`${differs} only in code.`, pointTo(name, targets), untilReverted);
    return deploy(stage, way, `Version ${first.version} of ${first.functionName} does not exist any more.`);
  });
}

/** The next run says how. */
const untilReverted: Step = {
  text: 'run this command again, which explains how to revert the commit: until then, nobody else deploys',
};

/** Lets the versions of a release serve all requests. */
function pointTo(name: string, targets: readonly Version[]): Step {
  const commands = targets.map(
    ({ functionName, version }) =>
      command`aws lambda update-alias --function-name ${functionName} --name ${liveAlias} --function-version ${version} --routing-config AdditionalVersionWeights={}`,
  );
  return step('on-call', `point the aliases to the versions of ${name}`, ...commands);
}

function deploy(stage: string, { current, good }: Way, why: string): Finding {
  const commit = commitInGit(good);
  if (commit === unknownCommit) {
    return finding(`${why} Nobody knows its commit.`, {
      text: `choose another release: npm run stage -- rollback ${stage} --to <commit>`,
    });
  }
  // Neither the commit nor a revert leads back: CloudFormation lets go of a table, or replaces it by an empty one.
  if (good.tables === undefined || good.tables !== current.tables) {
    const tables = good.tables === undefined || current.tables === undefined ? 'may differ' : 'differ';
    return finding(
      `${why} Its tables or their keys ${tables}, so neither deploy it nor revert to it, which could bring an empty table.`,
      {
        text: 'correct the commit on main, leave the tables as they are, and deploy the correction (docs/pipeline.md#deploy-with-fixforward)',
      },
    );
  }
  const lacks = commit === good.commit ? '' : ' Git lacks its uncommitted changes.';
  return finding(
    `${why} Its tables have the same keys, so a deploy leads back.${lacks}`,
    {
      text: `check out ${commit}`,
      commands: [command`git fetch`, command`git switch --detach ${commit}`, command`npm ci`],
    },
    step('deploy', 'see what a deploy changes', command`npx cdk diff ${stackName(stage)} --exclusively`),
    // Neither the release check nor a canary may stop it.
    step(
      'deploy',
      'deploy it, if no table is created, replaced or deleted',
      command`npx cdk deploy ${stackName(stage)} --exclusively -c fixForward=true`,
    ),
    { ...untilReverted, commands: [command`git switch main`, command`npm ci`] },
  );
}
