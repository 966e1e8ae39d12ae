import { describe, expect, it } from 'vitest';
import { createCommand } from '../../../bin/cli/create-command.ts';
import { generateApiKey } from '../../../shared/contract/api-key.ts';

const key = generateApiKey('staging');

/** Returns what a command with a subcommand prints about its arguments. */
function errorsOf(args: readonly string[]): string {
  let printed = '';
  const program = createCommand('keys', 'Manages keys.').configureOutput({
    writeErr: (text) => {
      printed += text;
    },
  });
  program.command('issue').option('--client <name>').copyInheritedSettings(program).exitOverride();
  program.exitOverride();
  expect(() => program.parse(args, { from: 'user' })).toThrow();
  return printed;
}

describe('createCommand', () => {
  it.each([
    [['isue'], "unknown command 'isue' (Did you mean issue?)\nUsage: keys [options] [command]\n"],
    [
      ['issue', '--clint'],
      "unknown option '--clint' (Did you mean --client?)\nUsage: keys issue [options]\n",
    ],
    [['issue', '--client'], "option '--client <name>' argument missing\nUsage: keys issue [options]\n"],
    [[key], "unknown command 'petstore_staging_…'\nUsage: keys [options] [command]\n"],
    [['a\n(Did you mean b?)'], "unknown command 'a (Did you mean b?)'\nUsage: keys [options] [command]\n"],
  ])('explains %j in a line before the usage', (args, expected) => {
    expect(errorsOf(args)).toBe(`error: ${expected}`);
  });
});
