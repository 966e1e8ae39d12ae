import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { runInBash, type Step, workflow, workflows } from '../../support/infra/workflows.ts';

const reporting = workflows.filter((path) =>
  readFileSync(path, 'utf8').includes('uses: ./.github/workflows/failure-issue.yml'),
);

it.each(reporting)('each job of %s that fails is in an issue', (path) => {
  const { ticket, ...others } = parse(readFileSync(path, 'utf8')).jobs;

  expect([ticket.needs].flat()).toEqual(Object.keys(others));
  expect(ticket).toMatchObject({
    if: 'failure()',
    with: { jobs: expect.stringContaining('toJSON(needs)') },
    permissions: { issues: 'write' },
  });
});

// A runner has jq.
it.skipIf(spawnSync('jq', ['--version']).status !== 0).each([
  ['', 'issue create --repo example/pet-store --title The daily checks fail --body drift failed: run'],
  ['7', 'issue comment 7 --repo example/pet-store --body drift failed: run'],
])('the daily checks write one issue (open: %j)', (open, expected) => {
  const [step]: readonly Step[] = workflow('failure-issue').jobs.ticket.steps;

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
