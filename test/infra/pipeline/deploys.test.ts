import { expect, it } from 'vitest';
import { isLinux, type Job, runInBash, type Step, workflow } from '../../support/infra/workflows.ts';

it('a deploy waits for approval in a job without permissions', () => {
  expect(workflow('deploy-stage')).toMatchObject({
    jobs: {
      approve: { needs: 'diff', concurrency: { 'cancel-in-progress': true }, permissions: {} },
      deploy: { needs: 'approve', concurrency: expect.stringMatching(/^deploy-/) },
    },
  });
});

it('each stage waits for the tests, even without the other stages', () => {
  const jobs: readonly Job[] = Object.values(workflow('deploy').jobs);
  const stages = jobs.filter(({ uses }) => uses === './.github/workflows/deploy-stage.yml');

  expect(stages).not.toEqual([]);
  for (const { needs } of stages) expect(needs).toEqual(expect.arrayContaining(['test', 'assembly']));
});

it('a deploy refuses to run again before anything else', () => {
  expect(workflow('deploy-stage').jobs.deploy.steps[0]).toMatchObject({
    if: 'github.run_attempt > 1',
    run: expect.stringMatching(/^exit 1$/m),
  });
});

it.runIf(isLinux).each([
  ['deploys the newest commit of main', '0a1b', 0],
  ['refuses an older one, which may lack a revert', '2c3d', 1],
])('a run that is approved late %s', (_title, newest, status) => {
  const [, step]: readonly Step[] = workflow('deploy-stage').jobs.deploy.steps;
  const gh = `[ "$2" = repos/example/pet-store/commits/main ] && echo ${newest}`;

  const refusal = runInBash(step, { gh }, { GITHUB_REPOSITORY: 'example/pet-store', GITHUB_SHA: '0a1b' });

  expect(refusal.status).toBe(status);
});

it('the credentials of a deploy last as long as its job', () => {
  const { deploy } = workflow('deploy-stage').jobs;
  const signIn = deploy.steps.find(({ uses }: Step) => uses?.startsWith('aws-actions/'));

  expect(signIn.with['role-duration-seconds']).toBe(60 * deploy['timeout-minutes']);
});

it.runIf(isLinux)('the ticket says which stage has to go back', () => {
  const [step]: readonly Step[] = workflow('deploy-stage').jobs.ticket.steps;

  const { stdout } = runInBash(
    step,
    { gh: 'echo "$@"' },
    {
      GITHUB_REPOSITORY: 'example/pet-store',
      GITHUB_SHA: '0a1b',
      RUNBOOK_URL: 'https://runbook.example',
      RUN_URL: 'https://run.example',
      STAGE: 'staging',
    },
  );

  expect(stdout).toBe(
    'issue create --repo example/pet-store --title PetStore-staging fails its tests after a deploy --body ' +
      'The stage staging serves commit 0a1b, but its tests failed in https://run.example. If the commit is the ' +
      'cause, go back to the previous release of staging: https://runbook.example\n',
  );
});
