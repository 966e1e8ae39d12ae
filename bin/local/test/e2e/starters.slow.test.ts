import { spawn } from 'node:child_process';
import { expect, inject, it, onTestFinished, vi } from 'vitest';
import { isRunning } from '../../../cli/test/support/is-running.ts';

/** Lets a process believe that it runs on Node 20. */
const asNode20 = `data:text/javascript,if (!process.env.NODE_24_WRAPPER) Object.defineProperty(process, 'versions', { value: { node: '20.19.0' } })`;

const args = ['--port', '0', '--pets', '0', '--json', '--assembly', inject('localApi').assembly];
const npm = ['run', '--silent', 'start', '--', ...args];
const { npm_execpath, npm_lifecycle_event: _ofTests, ...environment } = process.env;
const [npmProgram, npmArgs] = npm_execpath ? [process.execPath, [npm_execpath, ...npm]] : ['npm', npm];
const wrapper = ['--import', asNode20, 'bin/node-24.mjs', 'bin/local/local.ts', ...args];

/** Starts the local API through a program, and returns that, and the address. */
async function startThrough(program: string, programArgs: readonly string[]) {
  const started = spawn(program, programArgs, {
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  const { value: ready = 'It ended.' } = await started.stdout.iterator({ destroyOnReturn: false }).next();
  const { baseUrl }: { baseUrl: string } = JSON.parse(String(ready));
  onTestFinished(() => {
    // The whole process group.
    if (started.pid && isRunning(-started.pid)) process.kill(-started.pid, 'SIGKILL');
  });
  return {
    started,
    isServed: () =>
      fetch(baseUrl).then(
        () => true,
        () => false,
      ),
  };
}

it.skipIf(process.platform === 'win32').each<[string, string, readonly string[]]>([
  ['npm', npmProgram, npmArgs],
  ['node-24.mjs', process.execPath, wrapper],
])('the local API ends with what started it: %s', { timeout: 120_000 }, async (_title, program, of) => {
  const { started, isServed } = await startThrough(program, of);
  expect(await isServed()).toBe(true);

  started.kill('SIGKILL');

  await vi.waitFor(async () => expect(await isServed()).toBe(false), { timeout: 20_000 });
});
