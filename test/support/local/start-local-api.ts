import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Starts the local API of a project in a separate process, which ends when it is disposed of. */
export async function startLocalApi(args: readonly string[] = [], project = '.') {
  const local = spawn(process.execPath, ['bin/local.ts', '--port', '0', '--json', ...args], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(local, 'exit');
  const [ready] = await Promise.race([
    once(createInterface(local.stdout), 'line'),
    ended.then(() => Promise.reject(new Error('The local API did not start.'))),
  ]);
  const { baseUrl, apiKey }: Record<'baseUrl' | 'apiKey', string> = JSON.parse(ready);
  return {
    baseUrl,
    apiKey,
    async [Symbol.asyncDispose]() {
      local.kill();
      await ended;
    },
  };
}
