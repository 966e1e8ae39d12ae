import { once } from 'node:events';
import { Command, type ErrorOptions } from 'commander';
import { hideApiKeys } from '../../infra/local/text/hide-api-keys.ts';
import { printable, printableLine } from '../../infra/local/text/printable.ts';

/** The maximum length of a message, in UTF-16 code units. */
const maxLength = 4000;

/** A command that reports an error in one line, with keys masked, followed by its usage. */
class OneLineErrorCommand extends Command {
  override createCommand(name?: string): Command {
    return new OneLineErrorCommand(name);
  }

  override error(message: string, options?: ErrorOptions): never {
    // Commander puts a suggestion on a separate line.
    const line = messageText(message.replace('\n(Did you mean', ' (Did you mean'));
    return super.error(`${line}\nUsage: ${this.createHelp().commandUsage(this)}`, options);
  }
}

/** Creates a command that reports wrong arguments in one line, followed by its usage. */
export function createCommand(name: string, description: string): Command {
  return new OneLineErrorCommand(name).description(description).allowExcessArguments(false);
}

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
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'ENOENT' && 'path' in error) return `No such file: ${error.path}.`;
  return error.message;
}

/** Makes a message safe to print: short, on one line, keys masked. */
export function messageText(text: string): string {
  const short = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return printableLine(hideApiKeys(short));
}
