import type { Release } from '../aws/releases.ts';
import { command } from '../command.ts';
import { type Fact, read, together } from '../fact.ts';
import type { Reading } from '../read-stage.ts';
import { type Finding, finding, type Step, step } from '../report.ts';
import { type Alias, aliasText, isAt, liveRelease } from './aliases.ts';
import { pathOf, type ReleasePath, shortCommit } from './release-path.ts';
import { revert } from './revert.ts';
import type { RollbackFacts } from './rollback-facts.ts';
import { causeText } from './stack-state.ts';
import { correct, wayTo } from './ways-back.ts';

/** What is deployed, and what serves. */
interface Situation extends Pick<ReleasePath, 'left'> {
  readonly reading: Reading;
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

/** Says how a stage goes back while its stack is settled, or what is left to do once it is back. */
export async function goBack(
  reading: Reading,
  { stack, releases, aliases, failure }: RollbackFacts,
  to: string | undefined,
): Promise<Fact<Finding>> {
  const known = together({ stack, releases, aliases });
  if (!known.isRead) return known;
  const { path, left } = pathOf(known.value.releases);
  const current = path.at(-1);
  if (!current) return read(finding('No release is recorded.', correct));
  const isRolledBack = known.value.stack.status.startsWith('UPDATE_ROLLBACK_COMPLETE');
  const situation = {
    ...known.value,
    reading,
    current,
    before: path.at(-2),
    left,
    live: liveRelease(known.value.releases, known.value.aliases),
    why: isRolledBack ? causeText(failure) : undefined,
  };
  return to === undefined ? leadBack(situation) : leadTo(situation, to);
}

/** Leads to the release before, unless the stage is back already. */
async function leadBack(situation: Situation): Promise<Fact<Finding>> {
  const { reading, aliases, current, before, live } = situation;
  const next = live && afterwards(situation, live);
  if (next) return read(next);
  const ends = before ? [before, current] : [current];
  if (!aliases.every((alias) => isOneOf(alias, ends))) return read(mixed(situation, ends));
  if (!before) return read(finding('No earlier release is recorded.', correct));
  return wayTo(reading, { aliases, current, good: before });
}

/** Leads to the newest release of a commit. */
async function leadTo(situation: Situation, to: string): Promise<Fact<Finding>> {
  const { reading, releases, aliases, current, live } = situation;
  const chosen = releases.filter(({ commit }) => commit.startsWith(to));
  const [good] = chosen;
  if (!good) return read(finding(`No release of ${to} is recorded.`, correct));
  if (chosen.some(({ commit }) => commit !== good.commit)) {
    return read(finding(`Several releases begin with ${to}.`, { text: 'pass more of the commit' }));
  }
  const next = good === live ? afterwards(situation, live) : undefined;
  return next ? read(next) : wayTo(reading, { aliases, current, good });
}

const isOneOf = (alias: Alias, releases: readonly Release[]) =>
  releases.some(({ versions }) => isAt(alias, versions[alias.functionName]));

/** Says what is left to do if the stage is back already. */
function afterwards({ reading, current, before, left, why }: Situation, live: Release): Finding | undefined {
  const further = before ? [goTo(reading, 'to go further back', before)] : [];
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
function mixed({ reading, releases, aliases }: Situation, ends: readonly Release[]): Finding {
  const others = aliases.filter((alias) => !isOneOf(alias, ends));
  const texts = others.map((alias) => aliasText(alias, releases));
  return finding(
    `No single release serves all requests: ${texts.join('; ')}.`,
    ...ends.map((end) => goTo(reading, `to let ${shortCommit(end)} serve all requests`, end)),
  );
}

const goTo = ({ stage }: Reading, text: string, { commit }: Release): Step =>
  step('on-call', text, command`npm run stage -- rollback ${stage} --to ${commit}`);
