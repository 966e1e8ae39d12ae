import { Command } from 'commander';
import { messageText } from './message-text.ts';

/** A command whose errors are one line each: they quote what was typed, which may be a key in the wrong place. */
export function createCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .showSuggestionAfterError(false)
    .allowExcessArguments(false)
    .configureOutput({ outputError: (text, write) => write(`${messageText(text.trimEnd())}\n`) });
}

/** Tells of an error in one line, and lets the process end with 1. */
export function fail(message: string): void {
  console.error(`error: ${messageText(message)}`);
  process.exitCode = 1;
}
