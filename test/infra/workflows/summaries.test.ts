import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { temporaryDirectory } from '../../support/e2e/temporary-file.ts';
import { type Job, runStep, scriptsOf, workflow, workflows } from '../../support/infra/workflows.ts';

it('a template is compared with one stack, without those that it depends on', () => {
  const [script] = scriptsOf(workflow('pull-request').jobs.difference).filter((run) =>
    run.includes('--template'),
  );

  expect(script).toContain('cdk diff --app ../head.out --exclusively --template');
});

describe('a summary', () => {
  const shows = workflows.flatMap((path) => {
    const { jobs }: { jobs: Record<string, Job> } = parse(readFileSync(path, 'utf8'));
    const steps = Object.values(jobs).flatMap((job) => job.steps ?? []);
    return steps.filter(({ name }) => name?.startsWith('Show '));
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
