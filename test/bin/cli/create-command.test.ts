import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createCommand, errorText, messageText } from '../../../bin/cli/create-command.ts';
import { generateApiKey } from '../../../shared/keys/api-key.ts';

const key = generateApiKey('petstore_staging_');

it.each([
  [['isue'], "unknown command 'isue' (Did you mean issue?)"],
  [['issue', '--clint'], "unknown option '--clint' (Did you mean --client?)"],
  [['issue', '--client'], "option '--client <name>' argument missing"],
  [[key], "unknown command 'petstore_staging_…'"],
  [['a\n(Did you mean b?)'], "unknown command 'a (Did you mean b?)'"],
])('a command rejects the arguments %j in one line', (args, expected) => {
  let printed = '';
  const writeErr = (text: string) => {
    printed += text;
  };
  const program = createCommand('keys', 'Manages keys.').configureOutput({ writeErr }).exitOverride();
  program.command('issue').option('--client <name>').copyInheritedSettings(program);

  expect(() => program.parse(args, { from: 'user' })).toThrow();
  expect(printed).toBe(`error: ${expected}\nAdd --help to see what is accepted.\n`);
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
