import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import { generateApiKey } from '../../../shared/keys/api-key.ts';
import { temporaryFile } from '../../../test/support/e2e/temporary-file.ts';
import { createCommand, errorText, messageText } from '../create-command.ts';
import { npm } from './support/npm.ts';

const key = generateApiKey('petstore_staging_');

afterEach(() => vi.unstubAllEnvs());

/** Returns what a command with some options, and a subcommand, prints about wrong arguments. */
function rejection(args: readonly string[]): string {
  let printed = '';
  const writeErr = (text: string) => {
    printed += text;
  };
  const program = createCommand('keys', 'Manages keys.').configureOutput({ writeErr }).exitOverride();
  program
    .command('issue')
    .argument('[note]')
    .option('--client <name>')
    .option('--dry-run')
    .option('--no-escape-formulas')
    .copyInheritedSettings(program);

  expect(() => program.parse(args, { from: 'user' })).toThrow();
  return printed;
}

it.each([
  [['isue'], "unknown command 'isue' (Did you mean issue?)"],
  [['issue', '--clint'], "unknown option '--clint' (Did you mean --client?)"],
  [['issue', '--client'], "option '--client <name>' argument missing"],
  [[key], "unknown command 'petstore_staging_…'"],
  [['a\n(Did you mean b?)'], "unknown command 'a (Did you mean b?)'"],
])('a command rejects the arguments %j in one line', (args, expected) => {
  expect(rejection(args)).toBe(
    `error: ${expected}\nAdd --help to see what is accepted. With npm, put -- before options.\n`,
  );
});

// What npm 11 sets.
it.each([
  ['npm_config_dry_run', 'true', '--dry-run', '--no-dry-run'],
  ['npm_config_client', 'acme', '--client', '--no-client'],
  ['npm_config_escape_formulas', '', '--no-escape-formulas', '--escape-formulas'],
])('a command stops if npm has taken its option: %s=%s', (variable, value, option, opposite) => {
  vi.stubEnv(variable, value);

  expect(rejection(['issue'])).toContain(
    `error: npm has taken ${option} for itself: put -- before the options, as in keys issue ${option}. If a .npmrc or the environment sets it, put ${opposite} before the --.\n`,
  );
});

it('a command takes an option that npm has as well', () => {
  vi.stubEnv('npm_config_client', 'true');

  expect(rejection(['issue', '--client'])).toContain("option '--client <name>' argument missing");
  expect(rejection(['issue', '--client=acme', 'a', 'b'])).toContain('too many arguments');
});

it('a command beside json=true in a .npmrc works as it advises', async () => {
  const userconfig = temporaryFile('.npmrc');
  writeFileSync(userconfig, 'json=true\n');
  const env = { ...process.env, npm_config_userconfig: userconfig, BASE_URL: 'http://127.0.0.1:1/v1' };
  const list = async (...args: readonly string[]) => {
    const { stderr } = await npm(['run', '--silent', 'keys', ...args], { env }).catch((error) => error);
    return `${stderr}`;
  };

  const failed = await list('--', 'list');
  const [, advice = ''] = /put (--no-\S+) before the --\./.exec(failed) ?? [];

  const called = 'No local API responds on port 1:';
  expect(await list(advice, '--', 'list')).toContain(called);
  expect(await list('--', 'list', '--json')).toContain(called);
});

it('a command stops at options that npm takes', async () => {
  const failed: unknown = await npm(['run', '--silent', 'keys', 'list', '--json']).catch((error) => error);

  expect(failed).toMatchObject({
    stderr:
      'error: npm has taken --json for itself: put -- before the options, as in npm run keys -- list --json. If a .npmrc or the environment sets it, put --no-json before the --.\nAdd --help to see what is accepted. With npm, put -- before options.\n',
  });
});

it.each([
  ['masks keys', `There is no ${key}.`, 'There is no petstore_staging_….'],
  ['masks passwords', 'No API at http://a:b@c d/e@pets/v1.', 'No API at http://…@pets/v1.'],
  ['escapes control characters', 'No\r\n\u001b[2Jfile.', 'No\\u000d\\u000a\\u001b[2Jfile.'],
  ['keeps 4,000 characters', 'a'.repeat(4001), `${'a'.repeat(4000)}…`],
])('messageText %s', (_title, text, expected) => {
  expect(messageText(text)).toBe(expected);
});

it('errorText names a file that is missing', () => {
  const read = () => readFileSync('nope.csv');

  expect(read).toThrow(expect.toSatisfy((error) => errorText(error) === 'No such file: nope.csv.'));
});
