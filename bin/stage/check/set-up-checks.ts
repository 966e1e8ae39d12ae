import type { Reading } from '../read-stage.ts';
import { access, bootstrap, concurrency, profiles, target } from './account-checks.ts';
import type { Check } from './set-up.ts';
import { alarms, deploy, smokeTest, subscribers } from './stage-checks.ts';

/** Returns the steps of the set-up by their titles, in order. */
export function setUpChecks({ settings }: Reading): Readonly<Record<string, Check>> {
  // Only the deploy of what reserves the quota has to wait for it.
  const [early, late] = settings.reservesConcurrency ? [{ concurrency }, {}] : [{}, { concurrency }];
  return {
    'sign-in': ({ caller: { arn, region } }) => ({ isDone: true, text: `You are ${arn}, in ${region}` }),
    target,
    access,
    bootstrap,
    profiles,
    ...early,
    alarms,
    deploy,
    ...(settings.alarms && { subscribers }),
    'key and smoke test': smokeTest,
    ...late,
    ...questions,
    ...(settings.alarms && { traffic }),
  };
}

const asked =
  (text: (reading: Reading) => string): Check =>
  (_known, reading) => ({
    isDone: undefined,
    text: text(reading),
  });

const traffic = asked(({ settings: { expectsTrafficWithin } }) =>
  expectsTrafficWithin
    ? `are clients never silent for ${expectsTrafficWithin.toHumanString()}?`
    : 'within which time do clients always call? If you know, set expectsTrafficWithin: docs/deploying.md#alarms',
);

/** What no call of AWS shows. */
const questions = {
  pipeline: asked(
    ({ stage }) =>
      `are the variables and the secret set? gh variable list --env ${stage}-read; gh secret list --env ${stage}-read (docs/pipeline.md#set-up)`,
  ),
  domain: asked(({ settings: { domain } }) =>
    domain
      ? `does ${domain.name} lead to the output DomainTarget?`
      : 'shall clients use a domain of yours? docs/deploying.md#domain',
  ),
  'before you rely on it': asked(
    () => 'have a page, a rollback and a restore been tried in staging? docs/before-you-rely-on-it.md',
  ),
  promises: asked(
    () =>
      'do partners know limits, deprecations, the region, how long data is kept, where incidents are announced, when maintenance takes place, and whom to contact?',
  ),
};
