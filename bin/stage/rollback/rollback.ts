import { stackName } from '../../../infra/stack-names.ts';
import { derive, type Fact, infer, read } from '../fact.ts';
import type { Reading, Verb } from '../read-stage.ts';
import { concluded, type Figures, type Finding, formatTime } from '../report.ts';
import { aliasText } from './aliases.ts';
import { goBack } from './go-back.ts';
import { shortCommit } from './release-path.ts';
import { type RollbackFacts, readRollbackFacts } from './rollback-facts.ts';
import { findState } from './stack-state.ts';
import { type Way, wayTo } from './way-to.ts';

/** Says how to go back to an earlier release: by default, to the one before. */
export const rollback: Verb<{ readonly to?: string }> = {
  role: 'on-call',
  run: async (reading, { to }) => {
    const facts = await readRollbackFacts(reading);
    const { failure } = facts;
    const next = infer(
      facts,
      (known) => findState(reading.stage, known, failure) ?? goBack(reading.stage, known, failure, to),
    );
    const found = await settle(reading, next);
    return { findings: concluded(derive(found, (one) => [one])), because: figures(reading.stage, facts) };
  },
};

/** Looks up whether a way can be gone. */
async function settle(reading: Reading, next: Fact<Finding | Way>): Promise<Fact<Finding>> {
  if (!next.isRead) return next;
  return 'good' in next.value ? wayTo(reading, next.value) : read(next.value);
}

function figures(stage: string, { stack, releases, aliases, deployments }: RollbackFacts): Figures {
  const recorded = releases.isRead ? releases.value : [];
  return {
    Stack: textsOf(stack, ({ status }) => [`${stackName(stage)} ${status}`]),
    Release: recorded
      .slice(0, 5)
      .map(
        (release) =>
          `${shortCommit(release)} at ${formatTime(release.at)}, template ${release.template ?? 'unknown'}`,
      ),
    Deployment: textsOf(deployments, (ids) => ids.map((id) => `in progress: ${id}`)),
    Alias: textsOf(aliases, (found) => found.map((alias) => aliasText(alias, recorded))),
  };
}

const textsOf = <T>(fact: Fact<T>, texts: (value: T) => readonly string[]) =>
  fact.isRead ? texts(fact.value) : undefined;
