import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { codeBlocksOf } from '../support/docs/markdown.ts';
import { temporaryDirectory } from '../support/e2e/temporary-file.ts';

/** Returns a document's blocks of shell commands, with each command in one line. */
const blocksOf = (path: string) =>
  codeBlocksOf(path, 'sh', 'console').map((block) => block.replaceAll(/\\\n\s*/g, ''));

/** A command that prints what its reader has to look at; one in $(…) or with > does not. */
const prints = /^\s*(aws \S+ (describe|list|get)-|npx cdk (diff|drift)\b|output |resources )[^>]*$/;
/** A command with a value that its reader fills in, or that changes what is deployed. */
const depends = /<[a-zA-Z][^<>]*>|npx cdk (deploy|destroy)\b/;

it.each(globSync(['*.md', 'docs/*.md', 'bin/*/*.md']))(
  '%s has no block that goes on before its reader has seen what it prints',
  (path) => {
    const hasty = blocksOf(path).filter((block) => {
      const commands = block.split('\n');
      const first = commands.findIndex((command) => prints.test(command));
      return first >= 0 && commands.slice(first + 1).some((command) => depends.test(command));
    });

    expect(hasty).toEqual([]);
  },
);

const item = { id: { N: '2' }, digest: { B: 'AAAA' } };

// The loop is for bash and zsh.
describe.skipIf(process.platform === 'win32')('the loop that deletes pets', () => {
  /** Runs the loop over ids with a stub of the AWS CLI that finds each pet as the given text, and fails for the pet 4. */
  function run(found: string, ids = '2\n3') {
    const directory = temporaryDirectory(onTestFinished);
    const loop = blocksOf('docs/delete-pets.md').find((block) => block.includes('done < ids.txt')) ?? '';
    const aws = `#!/bin/sh
case "$*" in
  *'"N":"4"'*) exit 254 ;;
  *get-item*) cat found.json ;;
  *put-item*) echo "$*" | grep -o 'file://.*json' >> put.txt ;;
esac`;
    writeFileSync(join(directory, 'aws'), aws, { mode: 0o755 });
    writeFileSync(join(directory, 'found.json'), found);
    writeFileSync(join(directory, 'put.txt'), '');
    writeFileSync(join(directory, 'ids.txt'), ids);
    const env = { PATH: `${directory}:${process.env['PATH']}`, PETS: 'pets' };
    const { stdout } = spawnSync('bash', ['--norc', '-c', loop], { cwd: directory, env, encoding: 'utf8' });
    return { stdout, written: readFileSync(join(directory, 'put.txt'), 'utf8').split('\n').length - 1 };
  }

  const indented = (value: unknown) => `${JSON.stringify(value, null, 4)}\n`;

  it('reads the last id without a newline', () => {
    expect(run(indented(item))).toEqual({ stdout: '', written: 2 });
  });

  it.each([
    ['is not in the table', 'null\n', 'which the table does not have'],
    ['has no digest', indented({ ...item, digest: null }), 'which has no digest'],
  ])('says where and why it stops at a pet that %s', (_title, found, reason) => {
    expect(run(found)).toEqual({ stdout: `Stopped at 2, ${reason}.\n`, written: 0 });
  });

  it('says which id it cannot read', () => {
    const { stdout, written } = run(indented(item), '2\n4\n3\n');

    expect(stdout).toBe('Stopped at 4, which cannot be read.\n');
    expect(written).toBe(1);
  });
});

// Without policies, a bootstrap keeps those that it has.
it('no document bootstraps with the policy of one stage only', () => {
  const commands = globSync(['*.md', 'docs/*.md', 'bin/*/*.md'])
    .flatMap(blocksOf)
    .flatMap((block) => block.split('\n'))
    .filter((command) => command.includes('cdk bootstrap'));

  expect(commands.filter((command) => !/ bootstrap$|execution-policies <ARNs>$/.test(command))).toEqual([]);
});
