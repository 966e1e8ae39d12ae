import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { devNull } from 'node:os';
import { createInterface } from 'node:readline';
import { spawnScript } from './spawn-script.ts';

const movedClock = new URL('../setup/clock.mjs', import.meta.url).href;

/** Arguments of Node.js that set the clock of a process: that of the machine, or before any operation's sunset. */
export const clocks = {
  real: [],
  'before sunset': ['--import', `${movedClock}?2026-11-20T12:00:00Z`],
} as const;

/**
 * Starts the local API of a project in a separate process, which ends when it is disposed of. Its clock is set
 * to before the sunset of any operation, unless it has to be that of the machine.
 */
export async function spawnLocalApi(
  args: readonly string[] = [],
  {
    project = '.',
    log = devNull,
    command = 'bin/local.ts',
    clock = 'before sunset' as keyof typeof clocks,
    env = process.env,
  } = {},
) {
  // Functions have it too, unlike the arguments of this process.
  const options = {
    cwd: project,
    env: { ...env, ...(clock !== 'real' && { NODE_OPTIONS: clocks[clock].join('=') }) },
  };
  const local = spawnScript(command, ['--port', '0', '--json', ...args], options);
  for (const stream of [local.stdout, local.stderr]) stream.pipe(createWriteStream(log, { flags: 'a' }));
  const ended = once(local.child, 'exit');
  const [ready] = await Promise.race([
    once(createInterface(local.stdout), 'line'),
    ended.then(() => Promise.reject(new Error('The local API did not start.'))),
  ]);
  const { baseUrl, apiKey }: Record<'baseUrl' | 'apiKey', string> = JSON.parse(ready);
  let isWanted = true;
  ended.then(([code, signal]) => isWanted && console.error(`The local API has ended: ${code ?? signal}.`));
  return {
    baseUrl,
    apiKey,
    async [Symbol.asyncDispose]() {
      isWanted = false;
      local.child.kill();
      await ended;
    },
  };
}
