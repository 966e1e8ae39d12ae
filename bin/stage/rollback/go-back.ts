import type { Release } from '../aws/releases.ts';
import { command } from '../command.ts';
import { type Finding, finding, type Step, step } from '../report.ts';
import { type Alias, aliasText, isAt, liveRelease } from './aliases.ts';
import { pathOf, type ReleasePath, shortCommit } from './release-path.ts';
import { revert } from './revert.ts';
import type { Known, RollbackFacts } from './rollback-facts.ts';
import { causeText } from './stack-state.ts';
import { correct, type Way } from './way-to.ts';

/** What is deployed, and what serves. */
interface Situation extends Pick<ReleasePath, 'left'> {
  readonly stage: string;
  readonly releases: readonly Release[];
  readonly aliases: readonly Alias[];
  /** What the stack has. */
  readonly current: Release;
  /** What it had before. */
  readonly before: Release | undefined;
  /** Undefined if no single release serves. */
  readonly live: Release | undefined;
  /** Why the last update was rolled back, if it was. */
  readonly why: string | undefined;
}

/** Says where a stage goes back to while its stack is settled, or what is left to do once it is back. */
export function goBack(
  stage: string,
  { stack, releases, aliases }: Known,
  failure: RollbackFacts['failure'],
  to: string | undefined,
): Finding | Way {
  const { path, left } = pathOf(releases);
  const current = path.at(-1);
  if (!current) return finding('No release is recorded.', correct);
  const isRolledBack = stack.status.startsWith('UPDATE_ROLLBACK_COMPLETE');
  const situation = {
    stage,
    releases,
    aliases,
    current,
    before: path.at(-2),
    left,
    live: liveRelease(releases, aliases),
    why: isRolledBack ? causeText(failure) : undefined,
  };
  return to === undefined ? leadBack(situation) : leadTo(situation, to);
}

/** Leads to the release before, unless the stage is back already. */
function leadBack(situation: Situation): Finding | Way {
  const { aliases, current, before, live } = situation;
  const next = live && afterwards(situation, live);
  if (next) return next;
  const ends = before ? [before, current] : [current];
  // What records no versions may serve all the same.
  const areKnown = ends.every(({ versions }) => Object.keys(versions).length > 0);
  if (areKnown && !aliases.every((alias) => isOneOf(alias, ends))) return mixed(situation, ends);
  return before ? { aliases, current, good: before } : finding('No earlier release is recorded.', correct);
}

/** Leads to the newest release of a commit. */
function leadTo(situation: Situation, to: string): Finding | Way {
  const { releases, aliases, current, live } = situation;
  const chosen = releases.filter(({ commit }) => commit.startsWith(to));
  const [good] = chosen;
  if (!good) return finding(`No release of ${to} is recorded.`, correct);
  if (chosen.some(({ commit }) => commit !== good.commit)) {
    return finding(`Several releases begin with ${to}.`, { text: 'pass more of the commit' });
  }
  const next = good === live ? afterwards(situation, live) : undefined;
  return next ?? { aliases, current, good };
}

const isOneOf = (alias: Alias, releases: readonly Release[]) =>
  releases.some(({ versions }) => isAt(alias, versions[alias.functionName]));

/** Says what is left to do if the stage is back already. */
function afterwards({ stage, current, before, left, why }: Situation, live: Release): Finding | undefined {
  const further = before ? [goTo(stage, 'to go further back', before)] : [];
  const serving = shortCommit(live);
  const reason = why === undefined ? '' : ` The last update was rolled back. ${why}`;
  if (live !== current) {
    return finding(
      `The aliases point to ${serving}, until the next deploy brings ${shortCommit(current)} back.${reason}`,
      ...revert(live, left?.release ?? current, true),
    );
  }
  if (left && !left.isReverted) {
    return finding(
      `${shortCommit(left.release)} is not deployed any more: ${serving} is.${reason}`,
      ...revert(live, left.release, false),
      ...further,
    );
  }
  if (why !== undefined) {
    const text = 'correct or revert on main what failed, and let the pipeline deploy that';
    return finding(`${serving} serves all requests.${reason}`, { text }, ...further);
  }
  if (left) {
    const bad = shortCommit(left.release);
    return finding(
      `${serving} deploys the same as before ${bad}.`,
      { text: `nothing: ${bad} is reverted` },
      ...further,
    );
  }
  return undefined;
}

/** Some of the versions that serve are of none of these releases, or a canary is left over. */
function mixed({ stage, releases, aliases }: Situation, ends: readonly Release[]): Finding {
  const others = aliases.filter((alias) => !isOneOf(alias, ends));
  const texts = others.map((alias) => aliasText(alias, releases));
  return finding(
    `No single release serves all requests: ${texts.join('; ')}.`,
    ...ends.map((end) => goTo(stage, `to let ${shortCommit(end)} serve all requests`, end)),
  );
}

const goTo = (stage: string, text: string, { commit }: Release): Step =>
  step('on-call', text, command`npm run stage -- rollback ${stage} --to ${commit}`);
