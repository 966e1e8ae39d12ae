import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { temporaryFile } from '../../support/e2e/temporary-file.ts';
import { npm } from '../../support/local/npm.ts';

/** Runs an npm script of this project with arguments for npm, and returns what the command reports. */
async function errorOf(...args: readonly string[]): Promise<string> {
  const failed = await npm(['run', '--silent', ...args]).catch((error: unknown) => error);
  return failed instanceof Error && 'stderr' in failed ? String(failed.stderr) : '';
}

it.each([
  [['import', 'pets.csv', '--dry-run'], '--dry-run', 'npm run -s import --'],
  [['keys', 'list', '--json'], '--json', 'npm run keys -- list'],
  [['export', '--no-escape-formulas'], '--no-escape-formulas', 'npm run -s export --'],
  [['start', '--port', '3001'], '--port', 'npm start --'],
])('a command stops at options that npm takes in npm run %j', async (args, option, command) => {
  expect(await errorOf(...args)).toBe(
    `error: npm has taken ${option} for itself: put -- before the options, as in ${command} ${option}.\nAdd --help to see what is accepted.\n`,
  );
});

it('a command that gets a stray argument from npm says where options go', async () => {
  expect(await errorOf('import', 'pets.csv', '--format', 'csv')).toBe(
    'error: too many arguments. Expected 1 argument but got 2: pets.csv, csv. If one belongs to an option, put -- before the options: npm takes others for itself.\nAdd --help to see what is accepted.\n',
  );
});

it('a setting in a configuration file of npm counts as no option', async () => {
  const userconfig = temporaryFile('npmrc');
  writeFileSync(userconfig, 'json = true\ndry-run=true\n');

  const error = await errorOf(`--userconfig=${userconfig}`, 'import', 'no.csv');

  expect(error).toBe('error: No such file: no.csv.\n');
});
