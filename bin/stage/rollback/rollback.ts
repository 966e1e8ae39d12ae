import { stackName } from '../../../infra/stack-names.ts';
import { derive, type Fact } from '../fact.ts';
import type { Verb } from '../read-stage.ts';
import { concluded, type Figures, formatTime } from '../report.ts';
import { aliasText } from './aliases.ts';
import { goBack } from './go-back.ts';
import { shortCommit } from './release-path.ts';
import { type RollbackFacts, readRollbackFacts } from './rollback-facts.ts';
import { findState } from './stack-state.ts';

/** Says how to go back to an earlier release: by default, to the one before. */
export const rollback: Verb<{ readonly to?: string }> = {
  role: 'on-call',
  run: async (reading, { to }) => {
    const facts = await readRollbackFacts(reading);
    const next = findState(reading.stage, facts) ?? (await goBack(reading, facts, to));
    return { findings: concluded(derive(next, (found) => [found])), because: figures(reading.stage, facts) };
  },
};

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
