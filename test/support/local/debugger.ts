import { once } from 'node:events';
import * as v from 'valibot';

/** A message of a worker thread, handed on by the process. */
const FromWorker = v.object({
  params: v.object({ sessionId: v.string(), message: v.optional(v.string(), '') }),
});

/**
 * Attaches to all worker threads of a process, as an editor does, and sets a breakpoint on a line, counted from 0, of the
 * file at `url`. What it gives waits until a worker is stopped there, and gives what lets it go on.
 */
export async function setBreakpoint(
  inspectorUrl: string,
  url: string,
  lineNumber: number,
): Promise<() => Promise<() => void>> {
  const socket = new WebSocket(inspectorUrl);
  await once(socket, 'open');
  let id = 0;
  const send = (method: string, params: object) => socket.send(JSON.stringify({ id: ++id, method, params }));
  const tell = (sessionId: string, method: string, params = {}) =>
    send('NodeWorker.sendMessageToWorker', {
      sessionId,
      message: JSON.stringify({ id: ++id, method, params }),
    });
  /** Waits for a message of a worker, and gives the worker's session. */
  const received = (pattern: RegExp) =>
    new Promise<string>((resolve) => {
      socket.addEventListener('message', ({ data }) => {
        const { success, output } = v.safeParse(FromWorker, JSON.parse(data));
        if (success && pattern.test(output.params.message)) resolve(output.params.sessionId);
      });
    });

  socket.addEventListener('message', ({ data }) => {
    const { method, params } = JSON.parse(data);
    if (method !== 'NodeWorker.attachedToWorker') return;
    tell(params.sessionId, 'Debugger.enable');
    tell(params.sessionId, 'Debugger.setBreakpointByUrl', { url, lineNumber });
  });
  const isSet = received(/"Debugger\.breakpointResolved"|"locations":\[\{/);
  send('NodeWorker.enable', { waitForDebuggerOnStart: false });
  await isSet;

  return async () => {
    const sessionId = await received(/"Debugger\.paused".*"hitBreakpoints":\["/);
    return () => tell(sessionId, 'Debugger.resume');
  };
}
