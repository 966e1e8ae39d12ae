import { before } from '../aws/logs.ts';
import { shortCommit } from '../aws/releases.ts';
import { command } from '../command.ts';
import { infer } from '../fact.ts';
import { type Finding, finding, step } from '../report.ts';
import { type Context, type Facts, type Known, suspiciousMinutes } from './facts.ts';
import type { Problem } from './problem.ts';

/**
 * How long before a problem a release is the first suspect: a canary lasts 15 minutes, and what all requests reach after
 * it shows within 15 more. Many problems follow an older release by chance, so that is only named.
 */
const rightBeforeMinutes = 30;

/** How far back `triage` can look. */
const mostMinutes = 24 * 60;

export const seeRollback = (stage: string) => command`npm run stage -- rollback ${stage}`;

export const updating = /(?<!CLEANUP)_IN_PROGRESS$/;

/** Adds what changed right before a problem. Whether that is to blame, nothing here says. */
export function withChanges(facts: Facts, context: Context, problem: Problem): Finding {
  const { says, firstSign, mayFollowRelease, next } = problem;
  const { stage, now, minutes } = context;
  if (!firstSign) return finding(says, ...next);
  const { from } = before(now, minutes);
  if (firstSign >= from && firstSign < before(now, minutes - 5).from) {
    const lookBack = command`npm run stage -- triage ${stage} --minutes ${Math.min(4 * minutes, mostMinutes)}`;
    const further = minutes < mostMinutes ? [step('on-call', 'look back further', lookBack)] : [];
    return finding(`${says} It may have begun before.`, ...further, ...next);
  }
  const byHand = handChangesBefore(facts, firstSign);
  const releases = infer(facts, (known) => releasesBefore(known, stage, firstSign));
  if (!releases.isRead) {
    return finding([says, 'Whether a release came before could not be read.', ...byHand].join(' '), ...next);
  }
  const isLeft = ({ ago }: Ago) => mayFollowRelease === true && ago <= rightBeforeMinutes;
  const none =
    releases.value.length > 0 ? [] : [`No release came in the ${suspiciousMinutes} minutes before.`];
  const older = releases.value
    .filter((own) => !isLeft(own))
    .map(({ what, when }) => `The ${what} came ${when}.`);
  const steps = releases.value
    .filter(isLeft)
    .map(({ what, when, away }) => step('on-call', `the ${what} came ${when}: see how to go back`, away));
  return finding([says, ...none, ...older, ...byHand].join(' '), ...steps, ...next);
}

interface Ago {
  readonly ago: number;
  readonly when: string;
}

/** Returns those of some changes that came before an instant, with how long before. */
const changesBefore = <T extends { readonly at: Date | undefined }>(instant: Date, changes: readonly T[]) =>
  changes.flatMap((change): readonly (T & Ago)[] => {
    const { at } = change;
    const ago = at ? Math.round((instant.getTime() - at.getTime()) / 60_000) : Number.NaN;
    // A release may record itself after its functions serve, and the last request that was served came before what
    // ended that.
    if (!(ago > -5 && ago <= suspiciousMinutes)) return [];
    return [{ ...change, ago, when: ago < 0 ? `${-ago} min after that` : `${ago} min before` }];
  });

/** Says who changed what right before an instant: the last changes, of those that were read. */
function handChangesBefore({ changes, iamChanges }: Facts, instant: Date): readonly string[] {
  const read = [changes, iamChanges].flatMap((fact) => (fact.isRead ? fact.value.changes : []));
  const texts = changesBefore(instant, read)
    .filter(({ ago }) => ago <= rightBeforeMinutes)
    .toSorted((a, b) => a.ago - b.ago)
    .slice(0, 3)
    .map(({ text, when }) => `${text} ${when}.`);
  const isAll = changes.isRead && iamChanges.isRead;
  return isAll ? texts : [...texts, 'Some changes by hand could not be read.'];
}

/** Returns the releases before an instant, with what leads away from each. */
function releasesBefore({ releases, stack }: Known, stage: string, instant: Date) {
  const recorded = releases.map((release, index) => {
    const earlier = releases[index + 1];
    const away =
      index === 0 || !earlier
        ? seeRollback(stage)
        : command`npm run stage -- rollback ${stage} --to ${earlier.commit}`;
    return { at: release.at, what: `release of ${shortCommit(release)}`, away };
  });
  // A release in progress may not have recorded itself yet.
  const update = { at: stack.since, what: 'update in progress', away: seeRollback(stage) };
  return changesBefore(instant, [...(updating.test(stack.status) ? [update] : []), ...recorded]);
}
