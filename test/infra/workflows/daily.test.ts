import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { runInBash, type Step, workflow } from '../../support/infra/workflows.ts';

it('each daily check that fails is in an issue', () => {
  const { ticket, ...others } = workflow('daily').jobs;

  expect(ticket).toMatchObject({
    needs: Object.keys(others),
    if: 'failure()',
    permissions: { issues: 'write' },
  });
});

// A runner has jq.
it.skipIf(spawnSync('jq', ['--version']).status !== 0).each([
  ['', 'issue create --repo example/pet-store --title The daily checks fail --body drift failed: run'],
  ['7', 'issue comment 7 --repo example/pet-store --body drift failed: run'],
])('the daily checks write one issue (open: %j)', (open, expected) => {
  const [step]: readonly Step[] = workflow('daily').jobs.ticket.steps;

  const { stdout } = runInBash(
    step,
    // Only the issues of the workflows' own app.
    {
      gh: `[ "$2" = list ] || exec echo "$@"; case "$*" in *' --app github-actions '*) echo '${open}';; *) echo 13;; esac`,
    },
    {
      GITHUB_REPOSITORY: 'example/pet-store',
      NEEDS: JSON.stringify({ drift: { result: 'failure' }, trials: { result: 'success' } }),
      RUN_URL: 'run',
      TITLE: 'The daily checks fail',
    },
  );

  expect(stdout).toBe(`${expected}\n`);
});
