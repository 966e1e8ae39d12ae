import { CommandProcess, type Machine } from '../../../cli/test/support/command-process.ts';

const movedClock = new URL('../../../../test/support/setup/clock.mjs', import.meta.url).href;

/** Arguments of Node.js that set the clock of a process: that of the machine, or before any operation's sunset. */
export const clocks = {
  real: [],
  'before sunset': ['--import', `${movedClock}?2026-11-20T12:00:00Z`],
} as const;

interface LocalApiOptions extends Machine {
  readonly clock?: keyof typeof clocks;
  readonly command?: string;
}

/**
 * Starts the local API of a project in a separate process, which ends when it is disposed of. Its clock is set
 * to before the sunset of any operation, unless it has to be that of the machine.
 */
export async function spawnLocalApi(
  args: readonly string[] = [],
  { clock = 'before sunset', command = 'bin/local/local.ts', ...machine }: LocalApiOptions = {},
) {
  // Functions have it too, unlike the arguments of this process.
  const movingClock = clock !== 'real' && { NODE_OPTIONS: clocks[clock].join('=') };
  const environment = { ...(machine.environment ?? process.env), ...movingClock };
  const local = new CommandProcess(command, ['--port', '0', '--json', ...args], { ...machine, environment });
  const [ready] = await local.printed('stdout', /^.*\n/);
  const { baseUrl, apiKey, docsUrl }: Record<'baseUrl' | 'apiKey' | 'docsUrl', string> = JSON.parse(ready);
  const close = async () => void (await local.exit('SIGTERM'));
  return { baseUrl, apiKey, docsUrl, local, [Symbol.asyncDispose]: close };
}
