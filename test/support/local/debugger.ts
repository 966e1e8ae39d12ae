import { once } from 'node:events';

interface Message {
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** A debugger as an editor is one: it attaches to every worker, sets a breakpoint, and continues where it pauses. */
export class Debugger {
  readonly #socket: WebSocket;
  #lastId = 0;
  /** How often the breakpoint was reached. */
  pauses = 0;

  private constructor(
    socket: WebSocket,
    breakpoint: { readonly urlRegex: string; readonly lineNumber: number },
  ) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const { method, params }: Message = JSON.parse(data);
      const sessionId = `${params?.['sessionId']}`;
      if (method === 'NodeWorker.attachedToWorker') {
        this.#sendToWorker(sessionId, 'Debugger.enable');
        this.#sendToWorker(sessionId, 'Debugger.setBreakpointByUrl', breakpoint);
        this.#sendToWorker(sessionId, 'Runtime.runIfWaitingForDebugger');
      }
      if (method === 'NodeWorker.receivedMessageFromWorker') {
        const event: Message = JSON.parse(`${params?.['message']}`);
        if (event.method !== 'Debugger.paused') return;
        this.pauses += 1;
        this.#sendToWorker(sessionId, 'Debugger.resume');
      }
    });
  }

  /** Connects to the inspector at a `ws:` address. */
  static async attach(
    url: string,
    breakpoint: { readonly urlRegex: string; readonly lineNumber: number },
  ): Promise<Debugger> {
    const socket = new WebSocket(url);
    await once(socket, 'open');
    const attached = new Debugger(socket, breakpoint);
    attached.#send('NodeWorker.enable', { waitForDebuggerOnStart: true });
    return attached;
  }

  close(): void {
    this.#socket.close();
  }

  #sendToWorker(sessionId: string, method: string, params = {}): void {
    const message = JSON.stringify({ id: ++this.#lastId, method, params });
    this.#send('NodeWorker.sendMessageToWorker', { sessionId, message });
  }

  #send(method: string, params: object): void {
    this.#socket.send(JSON.stringify({ id: ++this.#lastId, method, params }));
  }
}
