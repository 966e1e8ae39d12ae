import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../support/e2e/temporary-file.ts';
import { access } from '../../support/infra/access.ts';
import { resourcesOf } from '../../support/infra/template.ts';
import { isLinux, type Job, runInBash, runStep, type Step, workflow } from '../../support/infra/workflows.ts';

it('a deploy waits for approval in a job without permissions', () => {
  expect(workflow('deploy-stage')).toMatchObject({
    jobs: {
      approve: { needs: 'diff', concurrency: { 'cancel-in-progress': true }, permissions: {} },
      deploy: { needs: 'approve', concurrency: expect.stringMatching(/^deploy-/) },
    },
  });
});

it('the jobs of a deploy run in this order', () => {
  const jobs = (name: string) =>
    Object.entries<Job>(workflow(name).jobs).map(([id, job]) => [id, job.needs, job.if]);

  // A stage of the owner's may be beside production.
  expect(jobs('deploy')).toEqual(
    expect.arrayContaining([
      ['test', undefined, undefined],
      ['assembly', undefined, undefined],
      ['staging', ['test', 'assembly'], undefined],
      ['production', ['test', 'assembly', 'staging'], undefined],
    ]),
  );
  expect(jobs('deploy-stage')).toEqual([
    ['diff', undefined, undefined],
    ['approve', 'diff', undefined],
    ['deploy', 'approve', undefined],
    ['verify', 'deploy', undefined],
    // Without failure(), a job is skipped when one that it needs has failed.
    ['ticket', 'verify', "failure() && needs.verify.result == 'failure'"],
  ]);
});

it("each stage that is deployed waits for the tests, even an owner's", () => {
  const jobs: readonly Job[] = Object.values(workflow('deploy').jobs);
  const stages = jobs.filter(({ uses }) => uses === './.github/workflows/deploy-stage.yml');

  for (const { needs } of stages) expect(needs).toEqual(expect.arrayContaining(['test', 'assembly']));
});

const stepOf = (name: string): Step | undefined =>
  workflow('deploy-stage').jobs.diff.steps.find((step: Step) => step.name === name);

const sha = '0123456789abcdef0123456789abcdef01234567';

it.runIf(isLinux).each([
  [sha, `${sha}..4d5e`],
  [`${sha}-dirty`, `${sha}..4d5e`],
  ['', '4d5e'],
  ['HEAD', '4d5e'],
  ['4d5e', '4d5e'],
  ['main..HEAD', '4d5e'],
  [`${sha} --all`, '4d5e'],
])('an approver sees the commits since %j', (deployed, range) => {
  const step = stepOf('List the commits to deploy');
  const directory = temporaryDirectory(onTestFinished);
  const run = `cd ${directory}\n${step?.run}`;

  const commands = { aws: `echo '${deployed}'`, git: 'echo "$5"' };
  const { status } = runInBash({ ...step, run }, commands, { STAGE: 'staging', GITHUB_SHA: '4d5e' });

  expect(status).toBe(0);
  expect(readFileSync(join(directory, 'commits.txt'), 'utf8').split('\n')[2]).toBe(range);
});

it.each([
  ['aws://unknown-account/unknown-region', true, 'Protected from deletion: yes\n'],
  ['aws://111111111111/eu-central-1', false, 'Protected from deletion: no\n'],
  ['aws://111111111111/eu-central-1', undefined, 'Protected from deletion: no\n'],
])(
  'an approver sees whether a stack in %s is protected (%s)',
  (environment, terminationProtection, shown) => {
    const { status, directory } = showTarget(environment, { terminationProtection });

    expect(status).toBe(0);
    expect(readFileSync(join(directory, 'stack.txt'), 'utf8')).toBe(shown);
  },
);

it.each([
  'aws://111111111111/us-east-1',
  // Here the CDK takes the first.
  'aws://111111111111/us-east-1/eu-central-1',
])('an assembly for another region than that of the stage is refused: %s', (environment) => {
  const { status, stderr } = showTarget(environment, {});

  expect(status).toBe(1);
  expect(stderr).toContain(`Error: The assembly is for ${environment}, but the stage is in eu-central-1.`);
});

function showTarget(environment: string, properties: object) {
  const directory = temporaryDirectory(onTestFinished);
  mkdirSync(join(directory, 'cdk.out'));
  const artifacts = { 'PetStore-staging': { environment, properties } };
  writeFileSync(join(directory, 'cdk.out/manifest.json'), JSON.stringify({ artifacts }));
  const env = { REGION: 'eu-central-1', STACK: 'PetStore-staging' };
  return { ...runStep(stepOf('Refuse another region'), directory, env), directory };
}

it.runIf(isLinux)('an approver sees what the CDK otherwise hides of a difference', () => {
  const directory = temporaryDirectory(onTestFinished);

  const commands = { node: 'echo "$@"' };
  const { status } = runInBash(stepOf('Compare the assembly with the live stacks'), commands, {
    GITHUB_WORKSPACE: directory,
    STAGE: 'staging',
  });

  expect(status).toBe(0);
  expect(readFileSync(join(directory, 'diff.txt'), 'utf8').split(' ')).toContain('--strict');
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

it('the role of the pipeline allows sessions as long as a deploy', () => {
  const { steps } = workflow('deploy-stage').jobs.deploy;
  const signIn = steps.find(({ uses }: Step) => uses?.startsWith('aws-actions/'));
  const roles = Object.values(resourcesOf(access.artifact.template)).map(({ Properties }) => Properties);
  const role = roles.find(({ RoleName }) => RoleName === 'PetStore-production-access-pipeline-deploy');

  expect(role?.['MaxSessionDuration']).toBe(signIn.with['role-duration-seconds']);
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
