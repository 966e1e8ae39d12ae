import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Job, scriptsOf, workflows } from '../../support/infra/workflows.ts';

const credentialed = workflows.flatMap((path) => {
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
