import { once } from 'node:events';
import { Command, type Option } from 'commander';
import { hideApiKeys } from './hide-api-keys.ts';
import { printable, printableLine } from './printable.ts';
import { useProxies } from './proxy.ts';

/** The maximum length of a message, in UTF-16 code units. */
const maxLength = 4000;

/**
 * Creates a command that reports wrong arguments in one line, with keys masked. It sends requests through the
 * proxies that the environment names.
 */
export function createCommand(name: string, description: string): Command {
  const command = new CommandOfNpm(name)
    .description(description)
    .allowExcessArguments(false)
    .configureOutput({
      // Commander puts a suggestion on a separate line.
      outputError: (text, write) => write(`${messageText(text.trim().replace('\n(Did', ' (Did'))}\n`),
    })
    .showHelpAfterError('Add --help to see what is accepted. With npm, put -- before options.');
  try {
    useProxies();
  } catch (error) {
    command.error(`error: ${errorText(error)}`);
  }
  return command;
}

class CommandOfNpm extends Command {
  override createCommand(name?: string): CommandOfNpm {
    return new CommandOfNpm(name);
  }

  /** Is called before anything is done, by each command for its own options. */
  override parseOptions(args: string[]) {
    const taken = this.options.filter((option) => isTakenByNpm(option, args)).map(({ long = '' }) => long);
    if (taken.length > 0) {
      const names = taken.join(' ');
      const opposites = taken.map(opposite).join(' ');
      const name = [...(this.parent ? [this.parent.name()] : []), this.name(), names].join(' ');
      this.error(
        `error: npm has taken ${names} for itself: put -- before the options, as in ${name}. If a .npmrc or the environment sets it, put ${opposites} before the --.`,
      );
    }
    return super.parseOptions(args);
  }
}

/**
 * Whether npm has taken an option for itself, because no `--` precedes it. npm passes it only in the environment,
 * like the settings of its configuration files. Of one that npm has itself, with another type, it passes nothing:
 * it warns of `--expires 90d` and drops it. https://docs.npmjs.com/cli/v11/using-npm/scripts#environment
 */
function isTakenByNpm({ long = '', negate }: Option, args: readonly string[]): boolean {
  if (args.some((arg) => arg === long || arg.startsWith(`${long}=`))) return false;
  const name = long.replace(/^--(no-)?/, '').replaceAll('-', '_');
  const value = process.env[`npm_config_${name}`];
  // npm clears the variable of an option that is negated.
  return negate ? value === '' : Boolean(value);
}

const opposite = (option: string) => option.replace(/^--(no-)?/, (_, no) => (no ? '--' : '--no-'));

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

/** Makes a message safe to print: short, on one line, keys masked, and users and passwords of addresses. */
export function messageText(text: string): string {
  const short = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return printableLine(hideApiKeys(short).replaceAll(/(https?:\/\/).*@/gi, '$1…@'));
}
