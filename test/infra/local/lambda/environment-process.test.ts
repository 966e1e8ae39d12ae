import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import type { ProcessCommand } from '../../../../infra/local/lambda/environment-process.ts';
import { stubFunction } from '../../../support/infra/stub-deployment.ts';

/** Starts a process whose function is in an endless loop, or waits for its next request. */
async function startProcess(timeoutMs: number, isLooping: boolean) {
  const child = fork('infra/local/lambda/environment-process.ts', { serialization: 'advanced' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const send = (command: ProcessCommand) => child.send(command);
  send({ spec: { ...stubFunction('stub'), handler: 'failures.endOrRespond', timeoutMs } });
  send({ event: {} });
  // It has started, and has responded.
  for (let count = 0; count < 2; count += 1) await once(child, 'message');
  if (isLooping) send({ event: { name: 'loopForever' } });
  return child;
}

it.each([
  ['while it waits', 60_000, false],
  ['in an endless loop', 60_000, true],
  ['while the stack of an endless loop is read', 100, true],
])('ends with the local API, however that ends, %s', async (_title, timeoutMs, isLooping) => {
  const child = await startProcess(timeoutMs, isLooping);
  const exited = once(child, 'exit');
  // At a timeout, it responds before it reads the stack.
  if (timeoutMs < 1000) await once(child, 'message');

  child.disconnect();

  await exited;
});

// Windows has no such signals.
it.skipIf(process.platform === 'win32').each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'leaves %s, which a terminal sends to all processes, to the local API',
  async (signal) => {
    const child = await startProcess(60_000, false);

    child.kill(signal);
    child.send({ event: {} } satisfies ProcessCommand);

    const [message] = await once(child, 'message');
    expect(message).toEqual({ outcome: { payload: { statusCode: 200 } }, hasEnded: false });
  },
);
