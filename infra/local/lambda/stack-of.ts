import { Session } from 'node:inspector';
import { setTimeout as pause } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { inSource } from '../../../shared/lambda/source-position.ts';

/** A worker that takes longer to respond is waiting, or is in a native call. */
const timeoutMs = 1000;

/** A message of the inspector's Debugger domain: https://chromedevtools.github.io/devtools-protocol/v8/Debugger/ */
interface DebuggerMessage {
  readonly method?: string;
  readonly params?: { readonly callFrames?: readonly [{ readonly callFrameId: string }] };
  readonly result?: { readonly result?: { readonly value?: string } };
}

/**
 * Returns the stack of the code that a worker is running, such as an endless loop, or none if it runs no
 * JavaScript. Unlike Node's diagnostic report, the inspector does not block this thread meanwhile.
 */
export async function stackOf(worker: Worker): Promise<readonly string[]> {
  const { promise, resolve } = Promise.withResolvers<readonly string[]>();
  const session = new Session();
  session.connect();
  session.on('NodeWorker.attachedToWorker', ({ params: { sessionId, workerInfo } }) => {
    if (!workerInfo.title.startsWith(`[worker ${worker.threadId}]`)) return;
    const send = (method: string, params?: object) =>
      session.post('NodeWorker.sendMessageToWorker', {
        sessionId,
        message: JSON.stringify({ id: 1, method, params }),
      });
    session.on('NodeWorker.receivedMessageFromWorker', (event) => {
      const { method, params, result }: DebuggerMessage = JSON.parse(event.params.message);
      if (method === 'Debugger.paused') {
        const callFrameId = params?.callFrames?.[0].callFrameId;
        send('Debugger.evaluateOnCallFrame', { callFrameId, expression: 'new Error().stack' });
        // A paused worker can't be terminated.
        send('Debugger.resume');
      }
      const frames = result?.result?.value?.split('\n') ?? [];
      // The first lines are the name of the error and the evaluation itself.
      if (frames.length > 0) resolve(frames.slice(2).map(inSource));
    });
    send('Debugger.enable');
    send('Debugger.pause');
  });
  session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });

  const stack = await Promise.race([promise, pause(timeoutMs, [], { ref: false })]);
  session.disconnect();
  return stack;
}
