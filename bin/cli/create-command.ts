import { Command, type ErrorOptions } from 'commander';
import { messageText } from './message-text.ts';

/** A command whose errors are one line, with keys masked, followed by its usage. */
class OneLineErrorCommand extends Command {
  override createCommand(name?: string): Command {
    return new OneLineErrorCommand(name);
  }

  override error(message: string, options?: ErrorOptions): never {
    // A suggestion comes on a line of its own.
    const line = messageText(message.replace('\n(Did you mean', ' (Did you mean'));
    return super.error(`${line}\nUsage: ${this.createHelp().commandUsage(this)}`, options);
  }
}

/** Creates a command that prints one-line errors, suggestions and its usage. */
export function createCommand(name: string, description: string): Command {
  return new OneLineErrorCommand(name).description(description).allowExcessArguments(false);
}

/** Prints an error in one line, and sets exit code 1. */
export function fail(error: unknown): void {
  console.error(`error: ${messageText(errorText(error))}`);
  process.exitCode = 1;
}

/** Describes what was thrown in a line, without a stack trace. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'ENOENT' && 'path' in error) return `No such file: ${error.path}.`;
  return error.message;
}
