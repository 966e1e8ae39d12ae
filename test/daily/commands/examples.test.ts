import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { runCommand } from '../../../bin/cli/test/support/command-process.ts';
import { git, startRepository } from '../../../bin/cli/test/support/git.ts';
import { npm } from '../../../bin/cli/test/support/npm.ts';
import { filesOfRepository, ProjectCopy } from '../../../bin/cli/test/support/project-copy.ts';
import { spawnLocalApi } from '../../../bin/local/test/support/spawn-local-api.ts';
import { temporaryDirectory } from '../../support/e2e/temporary-file.ts';

const files = filesOfRepository();
const project = new ProjectCopy(files);
const cwd = project.directory;

beforeAll(() => {
  startRepository(cwd, files);
  git(cwd, 'commit', '--quiet', '--allow-empty', '--message', 'Go on');
  execFileSync(process.execPath, ['bin/pet-store.ts'], {
    cwd,
    env: { ...process.env, CDK_OUTDIR: 'cdk.out' },
  });
});
afterAll(() => project.remove());

/** The scripts of package.json that run a command, by their names. */
const commands = Object.entries<string>(JSON.parse(readFileSync('package.json', 'utf8')).scripts).flatMap(
  ([name, script]) => {
    const [, command, ...args] = /^node bin\/node-24\.mjs (\S+)(?: (.+))?$/.exec(script) ?? [];
    return command ? [{ name, command, args: args.filter(Boolean) }] : [];
  },
);

/** Returns the options or arguments that have examples, such as `--port 3000`. */
function examplesIn(help: string): readonly [option: string, value: string][] {
  const entries = help.split(/\n {2}(?=\S)/).map((entry) => entry.replaceAll(/\s+/g, ' '));
  return entries.flatMap((entry) => {
    const [option = ''] = entry.split(' ');
    const values = entry.matchAll(
      /(?:such as|date such as|or) (?:"([^"]+)"|([\w.~%/-]*[\d.~%/][\w.~%/-]*))/g,
    );
    return Array.from(values, ([, quoted, plain = '']): [string, string] => [
      option,
      quoted ?? plain.replace(/[,.]$/, ''),
    ]);
  });
}

/** Runs the examples of each command that has some. */
const runners: Readonly<Record<string, (examples: ReturnType<typeof examplesIn>) => Promise<unknown>>> = {
  async start(examples) {
    await using api = await spawnLocalApi(examples.flat(), { project: cwd });
    const headers = { Authorization: `Bearer ${api.apiKey}` };
    const listed = async () => (await fetch(`${api.baseUrl}/pets`, { headers })).status;
    // Some responses fail, as the options say.
    await vi.waitFor(async () => expect(await listed()).toBe(200));
  },
  async rename(examples) {
    for (const [, value] of examples) {
      const directory = temporaryDirectory();
      writeFileSync(join(directory, 'README.md'), 'Pet Store');
      startRepository(directory);
      const renamed = await runCommand(join(process.cwd(), 'bin/rename/rename.ts'), [value], {
        project: directory,
      });
      expect(renamed).toMatchObject({ exitCode: 0 });
      expect(readFileSync(join(directory, 'README.md'), 'utf8')).toBe(value);
    }
  },
  async client(examples) {
    await npm(['run', 'client', '--', ...examples.flat()], { cwd });
  },
  async sandbox(examples) {
    await npm(['run', 'sandbox', '--', ...examples.flat()], { cwd });
  },
  async behavior(examples) {
    for (const [, value] of examples) {
      const options = { project: cwd };
      const compared = await runCommand('bin/behavior/behavior.ts', [value, '--requests', '1'], options);
      expect(compared).toMatchObject({ exitCode: 0, stderr: '' });
    }
  },
};

it.each(commands)('npm run $name has a usage text whose examples run', async ({ name, command, args }) => {
  const { exitCode, stdout: help } = await runCommand(command, [...args, '--help']);
  const examples = examplesIn(help);

  expect({ exitCode, help }).toEqual({ exitCode: 0, help: expect.stringMatching(/^Usage: npm /) });
  if (examples.length === 0 || name === 'dev') return;
  expect(Object.keys(runners), `${name} has the examples ${examples}`).toContain(name);
  await runners[name]?.(examples);
});

it('npm run keys takes the examples of its usage texts', async () => {
  await using api = await spawnLocalApi(['--pets', '0'], { project: cwd });
  const environment = { BASE_URL: api.baseUrl };
  const keys = (args: readonly string[], input = '') =>
    runCommand('bin/keys/keys.ts', args, { environment, input });
  const usage = async (subcommand: string) => examplesIn((await keys([subcommand, '--help'])).stdout);

  const expiries = await usage('issue');
  for (const [option, value] of expiries) {
    const issued = await keys(['issue', '--client', 'acme', option, value, '--json']);
    expect(issued, value).toMatchObject({ exitCode: 0 });
  }
  const issued = await keys(['issue', '--client', 'acme', '--json']);
  const verified = await keys(['verify', ...(await usage('verify')).flat()], JSON.parse(issued.stdout).key);

  expect(expiries.length).toBeGreaterThan(1);
  expect(verified).toMatchObject({ exitCode: 0 });
});
