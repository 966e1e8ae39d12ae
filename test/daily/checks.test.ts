import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { checks } from './checks.ts';
import { trials } from './trials/all-trials.ts';

const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, ['test/daily/daily.ts', ...args], { encoding: 'utf8' }).stdout;

it('npm run daily -- --list has each check of a tool, and each trial', () => {
  const ofTools = globSync('*/daily.ts', { cwd: 'bin' }).map((path) => path.replace(/\W.*/, ''));
  const listed: readonly string[] = JSON.parse(run('--list'));

  expect(listed).toEqual(expect.arrayContaining(ofTools));
  expect(listed.filter((check) => check.startsWith('trials '))).toEqual(
    Object.keys(trials).map((trial) => `trials ${trial}`),
  );
});

it('npm run daily -- --help says what each check does', () => {
  const help = run('--help').replaceAll(/\s+/g, ' ');

  expect(Object.values(checks).filter(({ says }) => !help.includes(says))).toEqual([]);
});
