import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { runCommand } from './support/command-process.ts';
import { examplesIn } from './support/examples.ts';

/** The scripts of package.json that run a command, by their names. */
const commands = Object.entries<string>(JSON.parse(readFileSync('package.json', 'utf8')).scripts).flatMap(
  ([name, script]) => {
    const [, command, ...args] =
      /^node bin\/node-24\.mjs ((?:bin|test)\/\S+\.ts)(?: (.+))?$/.exec(script) ?? [];
    return command ? [{ name, command, args: args.filter(Boolean) }] : [];
  },
);

it.each(commands)('npm run $name has a usage text, whose examples are tested', async ({ command, args }) => {
  const { exitCode, stdout: help } = await runCommand(command, [...args, '--help']);

  expect({ exitCode, help }).toEqual({ exitCode: 0, help: expect.stringMatching(/^Usage: npm /) });
  const isTested = existsSync(`${dirname(command)}/test/examples.daily.test.ts`);
  expect(isTested || examplesIn(help).length === 0).toBe(true);
});
