import { type Debugger, Session } from 'node:inspector/promises';
import type { Worker } from 'node:worker_threads';
import { inSource } from '../../../shared/lambda/source-position.ts';

/** How long a worker may take to pause. */
const timeoutMs = 2000;

/** Returns the stack of the code that a busy worker is running, such as an endless loop. */
export async function stackOf(worker: Worker): Promise<readonly string[]> {
  const session = new Session();
  session.connect();
  const { promise, resolve } = Promise.withResolvers<void>();
  const urls = new Map<string, string>();
  let frames: readonly string[] = [];
  let timer: NodeJS.Timeout | undefined;

  session.on('NodeWorker.attachedToWorker', ({ params: { sessionId, workerInfo } }) => {
    if (!workerInfo.title.startsWith(`[worker ${worker.threadId}]`)) return;
    const commands = ['Debugger.enable', 'Debugger.pause', 'Debugger.disable'];
    const send = (id: number) => {
      const message = JSON.stringify({ id, method: commands[id] });
      void session.post('NodeWorker.sendMessageToWorker', { sessionId, message });
    };
    session.on('NodeWorker.receivedMessageFromWorker', ({ params: { message } }) => {
      const { id, method, params } = JSON.parse(message);
      if (method === 'Debugger.scriptParsed') urls.set(params.scriptId, params.url);
      if (method === 'Debugger.paused') {
        frames = params.callFrames.map(({ location }: Debugger.CallFrame) => {
          const { scriptId, lineNumber, columnNumber = 0 } = location;
          return inSource(`    at ${urls.get(scriptId)}:${lineNumber + 1}:${columnNumber + 1}`);
        });
        // A worker that stayed paused could not even be terminated.
        send(2);
      }
      if (id === 2) resolve();
    });
    send(0);
    send(1);
    timer = setTimeout(() => {
      send(2);
      resolve();
    }, timeoutMs);
  });

  await session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  await promise;
  clearTimeout(timer);
  session.disconnect();
  return frames;
}
