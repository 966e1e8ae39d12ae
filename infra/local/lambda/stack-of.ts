import { Session } from 'node:inspector';
import { setTimeout as pause } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';

/** A worker that takes longer to respond runs no JavaScript: it waits, or is in a native call. */
const timeoutMs = 2000;

/** What a worker sends: https://chromedevtools.github.io/devtools-protocol/v8/Debugger/ */
interface DebuggerMessage {
  readonly params?: { readonly callFrames?: readonly [{ readonly callFrameId: string }] };
  readonly result?: { readonly result?: { readonly value: string } };
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
    const send = (method: string, params?: object) => {
      const message = JSON.stringify({ id: 1, method, params });
      session.post('NodeWorker.sendMessageToWorker', { sessionId, message });
    };
    session.on('NodeWorker.receivedMessageFromWorker', (event) => {
      const { params, result }: DebuggerMessage = JSON.parse(event.params.message);
      if (params?.callFrames) {
        const [{ callFrameId }] = params.callFrames;
        send('Debugger.evaluateOnCallFrame', { callFrameId, expression: 'new Error().stack' });
        // A paused worker can't be terminated.
        send('Debugger.resume');
      }
      // The first lines are the name of the error and the evaluation itself.
      if (result?.result) resolve(result.result.value.split('\n').slice(2));
    });
    send('Debugger.enable');
    send('Debugger.pause');
  });
  session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });

  const stack = await Promise.race([promise, pause(timeoutMs, [], { ref: false })]);
  session.disconnect();
  return stack;
}
