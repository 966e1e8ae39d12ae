import { describe, expect, it } from 'vitest';
import { isLinux, runInBash, type Step, workflow } from '../../support/infra/workflows.ts';

/** By the clock of the shell, which is not `Date` when the tests run after the sunset. */
const inTwoWeeks = () => Math.floor((performance.timeOrigin + performance.now()) / 1000) + 14 * 24 * 60 * 60;

describe.runIf(isLinux)('the daily check of the smoke key', () => {
  it.each([
    ['a key that does not expire', 'smoke-test None None', 0],
    ['a key that is valid for long enough', `smoke-test None ${inTwoWeeks() + 3600}`, 0],
    ['a key that expires too soon', `smoke-test None ${inTwoWeeks() - 3600}`, 1],
    ['a revoked key', 'smoke-test 1795400000 None', 1],
    ['an unknown key', 'None None None', 1],
    ['no answer', '', 1],
  ])('exits as it should for %s', (_title, item, status) => {
    const lookUp: Step = workflow('smoke-key').jobs['smoke-key'].steps.at(-1);
    const aws = `[ "$1" = dynamodb ] && echo "${item}" || echo keys`;

    const result = runInBash(lookUp, { aws }, { STAGE: 'staging', API_KEY: 'petstore_staging_x' });

    expect(result).toMatchObject({ status });
  });
});
