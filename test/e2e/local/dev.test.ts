import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { apiClient } from '../../support/e2e/api-client.ts';
import { CommandProcess } from '../../support/local/command-process.ts';
import { ProjectCopy } from '../../support/local/project-copy.ts';

const getPet = 'functions/get-pet.ts';

/** Attaches to every worker as an editor does, sets a breakpoint, and continues after each pause. */
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
      sendToWorker('Debugger.setBreakpointByUrl', { urlRegex: 'functions/get-pet\\.ts$', lineNumber: 11 });
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
  // A copy, which the tests edit.
  const project = new ProjectCopy();
  const dev = new CommandProcess(
    'bin/local.ts',
    ['--watch', '--inspect', '0', '--port', '0', '--pets', '1'],
    { project: project.directory },
  );
  const api = { baseUrl: '', apiKey: '', petId: '' };
  const onPause = vi.fn();
  let attached: WebSocket;

  beforeAll(async () => {
    const [, baseUrl = '', apiKey = '', petId = ''] = await dev.printed(
      'stdout',
      /^Pet Store is ready\. .+:\n\n.*BASE_URL[ =']+([^\s']+).*\n.*API_KEY[ =']+(\w+)[\s\S]+\/pets\/(\d+)"/,
    );
    Object.assign(api, { baseUrl, apiKey, petId });
    const [, url = ''] = await dev.printed('stderr', /Debugger listening on (\S+)/);
    attached = await attach(url, onPause);
  }, 120_000);
  afterAll(async () => {
    attached.close();
    await dev.exit('SIGTERM');
    project.remove();
  });

  /** Gets the pet of the greeting until the response is as expected. */
  async function expectSoon(expected: object): Promise<void> {
    const response = () => apiClient(api)('GET', `/pets/${api.petId}`);
    await vi.waitFor(async () => expect(await response()).toMatchObject(expected), 60_000);
  }

  const rename = (name: string) =>
    [getPet, /json<.*/, `json<typeof getPet>(200, { ...pet, name: '${name}' }, {});`] as const;

  it('prints a line per request', async () => {
    const { headers } = await apiClient(api)('GET', '/pets?limit=1');

    const line = `^GET /v1/pets\\?limit=1 200 \\d+ ms ${headers['x-amzn-requestid']}$`;
    await dev.printed('stdout', new RegExp(line, 'm'));
  });

  const saves = {
    'in place': writeFileSync,
    'by rename': (path: string, text: string) => {
      writeFileSync(`${path}~`, text);
      renameSync(`${path}~`, path);
    },
  };
  it.each(Object.entries(saves))('pauses at a breakpoint in a source that is saved %s', async (how, save) => {
    onPause.mockClear();

    project.edit(...rename(`Saved ${how}`), save);

    // The tables, the port and the key are the same.
    await expectSoon({ status: 200, body: { name: `Saved ${how}` } });
    expect(onPause).toHaveBeenCalled();
  });

  /** Waits for an error and for the file in which it is, while the last good version runs. */
  async function expectReported(error: RegExp, file: string): Promise<void> {
    await dev.printed('stderr', error);
    const notReloaded = `^Not reloaded: .*${file}.*\\. The last good version keeps running\\.$`;
    await dev.printed('stderr', new RegExp(notReloaded, 'm'));
    await expectSoon({ status: 200 });
  }

  it('reports where a handler fails to compile until it is repaired', async () => {
    const before = project.edit(getPet, 'const id', 'const mistake = ;\n  const id');

    await expectReported(/functions\/get-pet\.ts:12:18: ERROR: Unexpected ";"/, getPet);

    writeFileSync(project.path(getPet), before);
    await dev.printed('stderr', new RegExp(`keeps running\\.\\nReloaded in [\\d.]+ s: ${getPet}\\n`));
  });

  it('reports where a construct fails, then serves the changed stack', async () => {
    const file = 'infra/monitoring/indicators.ts';
    const before = project.edit(file, 'super(scope, id);', "super(scope, id); throw new Error('no alarms');");

    await expectReported(/Error: no alarms\n {4}at .*infra\/monitoring\/indicators\.ts:\d+:\d+/, file);

    const notFound = "MISSING_AUTHENTICATION_TOKEN: 'not_found'";
    project.edit('infra/service/gateway-responses.ts', notFound, notFound.replace('not_found', 'gone'));
    writeFileSync(project.path(file), before);
    const status = async () => (await fetch(`${api.baseUrl}/no-such-path`)).status;
    await vi.waitFor(async () => expect(await status()).toBe(410), 60_000);
  });

  it('serves the reference of the current sources', async () => {
    project.edit('infra/reference/page.html', '<body>', '<body><!-- Edited -->');

    const response = await fetch(new URL('/', api.baseUrl));

    expect(await response.text()).toContain('<body><!-- Edited -->');
  });
});
