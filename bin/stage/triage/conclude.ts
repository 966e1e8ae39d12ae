import { command } from '../command.ts';
import { type Fact, infer, together } from '../fact.ts';
import { concluded, type Finding, finding, formatTime, type Step, step } from '../report.ts';
import { awayFrom, pathOf, shortCommit } from '../rollback/release-path.ts';
import { type Context, type Facts, type Known, suspiciousMinutes } from './facts.ts';
import { outages } from './outages.ts';
import { type Cause, type Problem, secondPerson } from './problem.ts';
import { isUpdating, remainders, troubles } from './troubles.ts';

/** Returns what the facts show, the most important first. */
export function findingsOf(facts: Facts, context: Context): readonly Finding[] {
  const seen = (causes: readonly Cause[]) =>
    causes.map((find) => infer(facts, (known) => find(known, context)));
  const all = [...untilFound(seen(outages)), ...seen(troubles)];
  const decided = all.some(isFound) ? all : [...all, ...untilFound(seen(remainders))];

  const problems = decided.flatMap((fact) => (fact.isRead && fact.value ? [fact.value] : []));
  const different = problems.filter(
    ({ says }, index) => !problems.slice(0, index).some((earlier) => earlier.says.includes(says)),
  );
  const found = different.map((problem) => explain(facts, context, problem));
  // What could not be read may hide something more important than what was found.
  const unread = together(Object.fromEntries(untilFound(decided).entries()));
  if (!unread.isRead) return [...concluded(unread), ...found];
  return found.length > 0 ? found : [nothing];
}

const isFound = (fact: Fact<Problem | undefined>) => fact.isRead && fact.value !== undefined;

/** Returns the facts up to the first one that names a problem. */
function untilFound(facts: readonly Fact<Problem | undefined>[]): readonly Fact<Problem | undefined>[] {
  const first = facts.findIndex(isFound);
  return first < 0 ? facts : facts.slice(0, first + 1);
}

const nothing = finding('Nothing is wrong, as far as the figures show it, which do not show wrong answers.', {
  text: 'if a client reports a problem: docs/runbook.md#a-client-reports-a-problem',
});

const ifThatFails: Step = { text: 'if that does not help, wake the second person' };

/** Adds which release came before a problem. Changes by hand are counted, because nothing here can judge them. */
function explain(facts: Facts, { stage }: Context, problem: Problem): Finding {
  const { says, since, within, isUnexplained, next } = problem;
  const suspects = infer(facts, (known) => (since ? suspectsBefore(known, stage, since, within) : []));
  if (!suspects.isRead) {
    return finding(`${says} Whether a release came before could not be read: run this again.`, ...next);
  }
  const [first] = suspects.value;
  if (!first && !isUnexplained) return finding(says, ...next);
  if (!first) {
    const release = since ? 'No release came right before.' : 'When this began is not known.';
    return finding(`${says} ${release} ${changesText(facts)}`, ...next);
  }
  const then = next.map((own) => (own === secondPerson ? ifThatFails : own));
  // If the nearest one is not to blame, another may be.
  return finding(
    `${says} Soon before: ${first.text}.`,
    ...suspects.value.map((suspect) => suspect.next),
    ...then,
  );
}

function changesText(facts: Facts): string {
  const shown = infer(facts, ({ changes, iamChanges }) => {
    const total = changes.changes.length + iamChanges.changes.length;
    const since = new Date(Math.max(changes.since.getTime(), iamChanges.since.getTime()));
    return `Changes by hand that CloudTrail shows since ${formatTime(since)}, below: ${total}.`;
  });
  return shown.isRead ? shown.value : 'Some changes by hand could not be read.';
}

interface Suspect {
  readonly at: Date;
  readonly text: string;
  readonly next: Step;
}

/** Returns the releases that came at most some minutes before an instant, the nearest first. */
function suspectsBefore(
  { releases, stack }: Known,
  stage: string,
  instant: Date,
  minutes = suspiciousMinutes,
) {
  const minutesBefore = ({ at }: Suspect) => (instant.getTime() - at.getTime()) / 60_000;
  return (
    [...suspectUpdate(stage, stack), ...suspectReleases(stage, releases)]
      // A release records itself some minutes before or after its functions serve.
      .filter((suspect) => minutesBefore(suspect) > -5 && minutesBefore(suspect) < minutes)
      .toSorted((a, b) => Math.abs(minutesBefore(a)) - Math.abs(minutesBefore(b)))
  );
}

/** A release in progress may not have recorded itself yet. */
function suspectUpdate(stage: string, { status, since: at }: Known['stack']): readonly Suspect[] {
  if (!isUpdating(status) || !at) return [];
  const next = step('on-call', 'see how to stop it', command`npm run stage -- rollback ${stage}`);
  return [{ at, text: `an update of the stack, in progress since ${formatTime(at)}`, next }];
}

/** A release that went back to an earlier one is not to blame. */
function suspectReleases(stage: string, releases: Known['releases']): readonly Suspect[] {
  const { path } = pathOf(releases);
  return releases
    .filter((release, index) => !releases.slice(index + 1).some(({ commit }) => commit === release.commit))
    .map((release) => ({
      at: release.at,
      text: `the release of ${shortCommit(release)} at ${formatTime(release.at)}${path.includes(release) ? '' : ', since left'}`,
      next: awayFrom(stage, releases, release),
    }));
}
