import { writeFileSync } from 'node:fs';
import { Option } from 'commander';
import { expect, it, vi } from 'vitest';
import { createCommand } from '../../../bin/cli/create-command.ts';
import { optionsTakenByNpm } from '../../../bin/cli/options-taken-by-npm.ts';
import { temporaryFile } from '../../support/e2e/temporary-file.ts';
import { npm } from '../../support/local/npm.ts';

const options = ['--dry-run', '--json', '--port <number>', '--no-escape-formulas'].map(
  (flags) => new Option(flags),
);

// What npm 11 sets.
it.each([
  ['a flag', { npm_config_dry_run: 'true' }, ['--dry-run']],
  ['a value', { npm_config_port: '3001' }, ['--port']],
  ['a negated flag', { npm_config_escape_formulas: '' }, ['--no-escape-formulas']],
  ['nothing', { npm_config_loglevel: 'silent' }, []],
])('names %s that npm has taken', (_what, environment, expected) => {
  expect(optionsTakenByNpm(options, environment)).toEqual(expected);
});

it('counts no setting in a configuration file of npm', () => {
  const userconfig = temporaryFile('npmrc');
  writeFileSync(userconfig, 'json = true\ndry-run=true\n');
  const environment = {
    npm_config_userconfig: userconfig,
    npm_config_json: 'true',
    npm_config_dry_run: 'true',
    npm_config_port: '3001',
  };

  expect(optionsTakenByNpm(options, environment)).toEqual(['--port']);
});

it('a command of npm stops at options that npm takes', async () => {
  const failed: unknown = await npm(['run', '--silent', 'keys', 'list', '--json']).catch((error) => error);

  expect(failed).toMatchObject({
    stderr:
      'error: npm has taken --json for itself: put -- before the options, as in npm run keys -- list --json.\nAdd --help to see what is accepted.\n',
  });
});

it('a command that gets a stray argument from npm says where options go', () => {
  vi.stubEnv('npm_command', 'run-script');
  let printed = '';
  const writeErr = (text: string) => {
    printed += text;
  };
  const program = createCommand('import', 'Imports.').configureOutput({ writeErr }).exitOverride();
  program.argument('<file>');

  expect(() => program.parse(['pets.csv', 'csv'], { from: 'user' })).toThrow();
  vi.unstubAllEnvs();
  expect(printed).toBe(
    'error: too many arguments. Expected 1 argument but got 2: pets.csv, csv. If one belongs to an option, put -- before the options: npm takes others for itself.\nAdd --help to see what is accepted.\n',
  );
});
