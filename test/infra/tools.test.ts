import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { filesOfRepository } from '../../bin/cli/test/support/project-copy.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { leaveableTools, needed, scriptsOfTool } from '../support/infra/tools.ts';

const files = filesOfRepository().filter((path) => !/\.(png|json)$/.test(path));
const lines = files.flatMap((path) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => ({ path, line })),
);

/** Where somebody looks for tools: a line of these goes with the tool. The trials follow the how-tos, of tools too. */
const names = (tool: string) =>
  new RegExp(
    `^(bin/${tool}/.*|README\\.md|CONTRIBUTING\\.md|CHANGELOG\\.md|docs/start-your-own\\.md|\\.github/workflows/${tool}\\.yml|test/daily/trials/.*|test/infra/import-borders\\.test\\.ts)$`,
  );

/** The runbook begins each section with the operator's command, and the page of the set-up names it once. */
const runbook = 'docs/runbook.md';
const setUp = 'docs/deploying.md';

it.each(leaveableTools())('nothing but its row names or imports bin/%s', (tool) => {
  const scripts = scriptsOfTool(tool, packageJson.scripts).join('|') || '-';
  const mention = new RegExp(`bin/${tool}\\b(?!-)|\\.\\./${tool}/|npm run (?:-s )?(?:${scripts})(?![\\w-])`);
  const mentions = lines.filter(({ path, line }) => mention.test(line) && !names(tool).test(path));

  const elsewhere = mentions.filter(({ path }) => path !== runbook && path !== setUp);
  expect(elsewhere).toEqual([]);
  expect(mentions.filter(({ path }) => path === setUp).length).toBeLessThanOrEqual(1);
});

it('the folders of bin that are always needed exist', () => {
  expect(needed.filter((tool) => !existsSync(`bin/${tool}`))).toEqual([]);
});
