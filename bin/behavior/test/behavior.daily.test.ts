import { readdirSync } from 'node:fs';
import { afterAll, expect, it, vi } from 'vitest';
import { temporaryDirectory } from '../../../test/support/e2e/temporary-file.ts';
import { CommandProcess, runCommand } from '../../cli/test/support/command-process.ts';
import { startRepository } from '../../cli/test/support/git.ts';
import { filesOfRepository, ProjectCopy } from '../../cli/test/support/project-copy.ts';

const files = filesOfRepository();
const project = new ProjectCopy(files);
afterAll(() => project.remove());
startRepository(project.directory, files);

const compare = (...args: readonly string[]) =>
  runCommand('bin/behavior/behavior.ts', args, { project: project.directory });

it('finds no difference between a commit and itself', async () => {
  const { exitCode, stdout, stderr } = await compare('HEAD', '--requests', '50');

  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toMatch(/^[0-9a-f]{7} and the working tree answer all \d+ requests alike\.\n$/);
});

it('finds changes that no description shows', { timeout: 600_000 }, async () => {
  // limit=020 was rejected, and no pet had the id 01.
  project.edit('shared/http/request.ts', '(?:0|-?[1-9]\\d{0,18})', '-?\\d{1,19}');
  project.edit('shared/paging/page-query.ts', 'default: 20', 'default: 10');
  const trimmed = 'isWellFormed(), nameMessage),\n  v.trim(),';
  project.edit('shared/pets/pet.ts', 'isWellFormed(), nameMessage),', trimmed);
  project.edit('shared/contract/error-table.ts', 'must be sent as', 'has to be');
  project.edit('shared/http/serve.ts', '...commonHeaders', "...commonHeaders, 'X-Powered-By': 'pets'");

  const { exitCode, stdout, stderr } = await compare('HEAD', '--requests', '400', '--examples', '1');

  const titles = [...stdout.matchAll(/^\d+\. (.*) \(\d+ requests?\)$/gm)].map(([, title]) => title);
  // A list that is deprecated has a link on every page, so that none is added.
  expect(titles.filter((title) => title !== 'header link was added').toSorted()).toEqual([
    'GET /pets, 200: body has another number of items',
    'GET /pets, 200: body[].name changed',
    'GET /pets, 400 invalid_query: body.message changed',
    'GET /pets/{petId}, 200: body.name changed',
    'GET /pets/{petId}: 404 not_found became 200',
    'GET /pets: 400 invalid_query became 200',
    'POST /pets, 201: body.name changed',
    'POST /pets, 415 unsupported_media_type: body.message changed',
    'header link changed',
    'header x-powered-by was added',
  ]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
});

// Windows ends the process instead.
it.skipIf(process.platform === 'win32')('leaves nothing behind when it is interrupted', async () => {
  const temporary = temporaryDirectory();
  const environment = { ...process.env, TMPDIR: temporary };
  const command = new CommandProcess('bin/behavior/behavior.ts', ['HEAD'], {
    project: project.directory,
    environment,
  });
  const kinds = () => readdirSync(temporary).map((name) => name.replace(/-\w+$/, ''));
  await vi.waitFor(() => expect(kinds()).toContain('pet-store-behavior'), 60_000);

  const { exitCode } = await command.exit('SIGINT');

  expect(exitCode).toBe(2);
  await vi.waitFor(() => expect(readdirSync(temporary)).toEqual([]), 20_000);
});

it('says that there is no such commit', async () => {
  expect(await compare('--', '--output=x')).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: 'error: There is no commit "--output=x" here. In a shallow clone, fetch it first.\n',
  });
});

it('prints the log of a service that does not start', async () => {
  project.edit('infra/service/bundle-options.ts', /$/, "throw new Error('no bundles');\n");

  const { exitCode, stderr } = await compare('HEAD');

  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^error: bin\/local\.ts ended \(1\), .*: error: no bundles/);
});
