import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../../../test/support/e2e/temporary-file.ts';
import { onMain } from '../../rollback/on-main.ts';

/** Returns a clone with its origin, and what runs lines there. */
function openClone() {
  const directory = temporaryDirectory(onTestFinished);
  const clone = join(directory, 'clone');
  const isolated = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  const run = (lines: string, cwd = clone) => {
    const env = { ...process.env, ...isolated };
    const { status, stdout } = spawnSync('bash', ['--norc', '-c', lines], { cwd, env, encoding: 'utf8' });
    return { status, stdout: stdout.trim() };
  };
  run(`git init --quiet --bare --initial-branch main origin && git clone --quiet origin clone`, directory);
  run(
    `git switch --quiet --create main && git config user.name somebody && git config user.email somebody@pets.example`,
  );
  return {
    run,
    commit: (file: string) =>
      run(`echo ${file} >> ${file} && git add . && git commit --quiet -m ${file} && git rev-parse HEAD`)
        .stdout,
  };
}

// The lines are for bash and zsh.
it.skipIf(process.platform === 'win32')('leads main back to what a commit had, past a merge', () => {
  const { run, commit } = openClone();
  const good = commit('good');
  commit('bad');
  run('git switch --quiet --create branch');
  commit('feature');
  run('git switch --quiet main');
  commit('good');
  run('git merge --quiet --no-edit branch && git push --quiet origin main');
  const release = { commit: good, versions: {}, number: 1, at: new Date(0) };
  const [see, revert] = onMain(release, false).map(({ commands = [] }) => commands.join('\n'));

  expect(run(see ?? '').stdout.split('\n')).toHaveLength(3);
  expect(run(revert ?? '').status).toBe(0);
  expect(run(`git diff --stat ${good} origin/back-to-${good}`)).toEqual({ status: 0, stdout: '' });
});

it.skipIf(process.platform === 'win32')('reverts nothing for a commit that main lacks', () => {
  const { run, commit } = openClone();
  commit('good');
  run('git push --quiet origin main && git switch --quiet --create other');
  const foreign = commit('foreign');
  const release = { commit: foreign, versions: {}, number: 1, at: new Date(0) };
  const [see, revert] = onMain(release, false).map(({ commands = [] }) => commands.join('\n'));

  expect(run(see ?? '')).toEqual({ status: 1, stdout: '' });
  expect(run(revert ?? '').status).toBe(1);
  expect(run('git log --oneline origin/main..HEAD').stdout).toBe('');
});
