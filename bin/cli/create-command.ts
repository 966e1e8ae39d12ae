import { once } from 'node:events';
import { Command } from 'commander';
import { hideApiKeys } from '../../infra/local/text/hide-api-keys.ts';
import { printable, printableLine } from '../../infra/local/text/printable.ts';

/** Creates a command that reports wrong arguments in one line, with keys masked. */
export const createCommand = (name: string, description: string): Command =>
  new Command(name)
    .description(description)
    .allowExcessArguments(false)
    .configureOutput({
      // Commander puts a suggestion on a separate line.
      outputError: (text, write) => write(`${messageText(text.trim().replace('\n(Did', ' (Did'))}\n`),
    })
    .showHelpAfterError('Add --help to see what is accepted.');

/** Writes to standard output with backpressure, escaping control characters on a terminal. */
export async function print(text: string): Promise<void> {
  if (!process.stdout.write(process.stdout.isTTY ? printable(text) : text))
    await once(process.stdout, 'drain');
}

export function fail(error: unknown): void {
  console.error(`error: ${messageText(errorText(error))}`);
  process.exitCode = 1;
}

/** Returns an error's message, or any other thrown value as text. */
export function errorText(error: unknown): string {
  // Such as the failures to connect to each address of a host, whose own message is empty.
  if (error instanceof AggregateError) return error.errors.map(errorText).join(', ');
  return error instanceof Error ? error.message : String(error);
}

/** Makes a message safe to print: on one line, keys masked. */
export const messageText = (text: string): string => printableLine(hideApiKeys(text));
