import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DevProcess } from '../../support/local/dev-process.ts';

const breakpoint = { urlRegex: 'functions/get-pet\\.ts$', lineNumber: 11 };

/** Attaches to every worker as an editor does, sets the breakpoint, and continues after each pause. */
async function attach(url: string, onPause: () => void): Promise<WebSocket> {
  const socket = new WebSocket(url);
  let lastId = 0;
  const messageOf = (method: string, params = {}) => JSON.stringify({ id: ++lastId, method, params });
  const send = (method: string, params: object) => socket.send(messageOf(method, params));

  socket.addEventListener('message', ({ data }) => {
    const { method, params } = JSON.parse(data);
    const sendToWorker = (command: string, parameters = {}) => {
      const message = messageOf(command, parameters);
      send('NodeWorker.sendMessageToWorker', { sessionId: params.sessionId, message });
    };
    if (method === 'NodeWorker.attachedToWorker') {
      sendToWorker('Debugger.enable');
      sendToWorker('Debugger.setBreakpointByUrl', breakpoint);
      sendToWorker('Runtime.runIfWaitingForDebugger');
    }
    if (method === 'NodeWorker.receivedMessageFromWorker') {
      const event = JSON.parse(params.message);
      if (event.method !== 'Debugger.paused') return;
      onPause();
      sendToWorker('Debugger.resume');
    }
  });
  await once(socket, 'open');
  send('NodeWorker.enable', { waitForDebuggerOnStart: true });
  return socket;
}

describe('npm run dev -- --inspect', { timeout: 120_000 }, () => {
  const dev = new DevProcess(['--inspect', '0']);
  beforeAll(() => dev.ready(), 120_000);
  afterAll(() => dev.remove());

  it('pauses at a source breakpoint after each edit', async () => {
    const [, url = ''] = await dev.printed('stderr', /Debugger listening on (\S+)/);
    const onPause = vi.fn();
    const attached = await attach(url, onPause);

    for (const name of ['First edit', 'Second edit']) {
      const changed = `json<typeof getPet>(200, { ...pet, name: '${name}' }, {});`;
      dev.project.edit('functions/get-pet.ts', /json<.*/, changed);
      onPause.mockClear();
      await dev.expectSoon({ body: { name } });
      expect(onPause).toHaveBeenCalled();
    }
    attached.close();
  });
});
