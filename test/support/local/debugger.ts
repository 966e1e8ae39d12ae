import { once } from 'node:events';
import * as v from 'valibot';

/** A message of the inspector protocol that a worker has sent. */
const Message = v.object({
  method: v.optional(v.string()),
  params: v.optional(v.object({ hitBreakpoints: v.optional(v.array(v.string())) })),
  result: v.optional(v.object({ locations: v.optional(v.array(v.unknown())) })),
});

const FromProcess = v.object({
  method: v.optional(v.string()),
  params: v.optional(
    v.object({
      sessionId: v.optional(v.string()),
      message: v.optional(v.pipe(v.string(), v.parseJson(), Message)),
    }),
  ),
});

/** A debugger of all worker threads of a process, as an editor has one. */
export class Debugger {
  readonly #socket: WebSocket;
  #lastId = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  /** Attaches to a process, and sets a breakpoint on a line, counted from 0, of the file at `url`. */
  static async attach(inspectorUrl: string, url: string, lineNumber: number): Promise<Debugger> {
    const socket = new WebSocket(inspectorUrl);
    await once(socket, 'open');
    const attached = new Debugger(socket);
    const { promise: isSet, resolve } = Promise.withResolvers<void>();
    socket.addEventListener('message', ({ data }) => {
      const { method, params: { sessionId, message } = {} } = v.parse(FromProcess, JSON.parse(data));
      if (message?.method === 'Debugger.breakpointResolved' || message?.result?.locations?.length) resolve();
      if (method !== 'NodeWorker.attachedToWorker') return;
      attached.#tell(sessionId, 'Debugger.enable', {});
      attached.#tell(sessionId, 'Debugger.setBreakpointByUrl', { url, lineNumber });
    });
    attached.#send('NodeWorker.enable', { waitForDebuggerOnStart: false });
    await isSet;
    return attached;
  }

  /** Waits until a worker is stopped by a breakpoint, and gives what lets it go on. */
  async stopped(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<() => void>();
    this.#socket.addEventListener('message', ({ data }) => {
      const { params: { sessionId, message } = {} } = v.parse(FromProcess, JSON.parse(data));
      if (message?.method !== 'Debugger.paused' || !message.params?.hitBreakpoints?.length) return;
      resolve(() => this.#tell(sessionId, 'Debugger.resume', {}));
    });
    return promise;
  }

  #tell(sessionId: string | undefined, method: string, params: object): void {
    this.#lastId += 1;
    const message = JSON.stringify({ id: this.#lastId, method, params });
    this.#send('NodeWorker.sendMessageToWorker', { sessionId, message });
  }

  #send(method: string, params: object): void {
    this.#lastId += 1;
    this.#socket.send(JSON.stringify({ id: this.#lastId, method, params }));
  }
}
