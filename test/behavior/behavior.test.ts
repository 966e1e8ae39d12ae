import { execFileSync } from 'node:child_process';
import { afterAll, expect, it } from 'vitest';
import { runCommand } from '../support/local/command-process.ts';
import { ProjectCopy } from '../support/local/project-copy.ts';

const files = ['bin', 'functions', 'infra', 'shared', 'test', 'cdk.json', 'tsconfig.json'];
const documents = ['CHANGELOG.md', 'package.json', 'package-lock.json'];
const project = new ProjectCopy([...files, ...documents]);
afterAll(() => project.remove());
const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: project.directory });

const limitPattern = 'v.regex(/^\\d+$/, limitMessage)';
const strictLimitPattern = 'v.regex(/^[1-9]\\d*$/, limitMessage)';
// The version before rejects limit=020.
project.edit('shared/contract/schemas/page-query.ts', limitPattern, strictLimitPattern);
git('init', '--quiet');
git('add', ...files, ...documents);
const author = ['-c', 'user.name=behavior', '-c', 'user.email=behavior@pets.example'];
git(...author, 'commit', '--quiet', '--no-gpg-sign', '--message', 'Start');

const compare = (...args: readonly string[]) =>
  runCommand('test/behavior/behavior.ts', args, { project: project.directory });

it('finds no difference between a commit and itself', { timeout: 900_000 }, async () => {
  const { exitCode, stdout, stderr } = await compare('HEAD', '--requests', '50');

  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toMatch(/^[0-9a-f]{7} and the working tree answer all \d+ requests alike\.\n$/);
});

it('finds changes that no description shows', { timeout: 900_000 }, async () => {
  project.edit('shared/contract/schemas/page-query.ts', strictLimitPattern, limitPattern);
  project.edit('shared/contract/schemas/page-query.ts', 'default: 20', 'default: 10');
  const trimmed = 'isWellFormed(), nameMessage),\n  v.trim(),';
  project.edit('shared/contract/schemas/pet.ts', 'isWellFormed(), nameMessage),', trimmed);
  project.edit('shared/contract/errors/error-table.ts', 'must be sent as', 'has to be');
  project.edit('shared/http/api-handler.ts', '...commonHeaders', "...commonHeaders, 'X-Powered-By': 'pets'");

  const { exitCode, stdout, stderr } = await compare('HEAD', '--requests', '400', '--examples', '1');

  const titles = [...stdout.matchAll(/^\d+\. (.*) \(\d+ requests?\)$/gm)].map(([, title]) => title);
  // A list that is deprecated has a link on every page, so that none is added.
  expect(titles.filter((title) => title !== 'header link was added').toSorted()).toEqual([
    'GET /pets, 200: body has another number of items',
    'GET /pets, 200: body[].name changed',
    'GET /pets, 400 invalid_query: body.message changed',
    'GET /pets/{petId}, 200: body.name changed',
    'GET /pets: 400 invalid_query became 200',
    'POST /pets, 201: body.name changed',
    'POST /pets, 415 unsupported_media_type: body.message changed',
    'header link changed',
    'header x-powered-by was added',
  ]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
  expect(
    git('worktree', 'list', '--porcelain')
      .toString()
      .match(/^worktree /gm),
  ).toHaveLength(1);
});

it('says that there is no such commit', async () => {
  expect(await compare('--', '--output=x')).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: 'error: There is no commit "--output=x" here. In a shallow clone, fetch it first.\n',
  });
});
