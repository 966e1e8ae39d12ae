import { once } from 'node:events';
import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { apiClient } from '../../support/e2e/api-client.ts';
import { CommandProcess, runCommand } from '../../support/local/command-process.ts';
import { ProjectCopy } from '../../support/local/project-copy.ts';

const getPet = 'functions/get-pet.ts';

/** Attaches to every worker as an editor does, sets a breakpoint, and continues after each pause. */
async function attach(url: string, onStart: (worker: string) => void, onPause: () => void) {
  const socket = new WebSocket(url);
  const messageOf = (method: string, params = {}) => JSON.stringify({ id: 1, method, params });
  const send = (method: string, params: object) => socket.send(messageOf(method, params));

  socket.addEventListener('message', ({ data }) => {
    const { method, params } = JSON.parse(data);
    const sendToWorker = (command: string, parameters = {}) => {
      const message = messageOf(command, parameters);
      send('NodeWorker.sendMessageToWorker', { sessionId: params.sessionId, message });
    };
    if (method === 'NodeWorker.attachedToWorker') {
      onStart(params.workerInfo.title);
      sendToWorker('Debugger.enable');
      sendToWorker('Debugger.setBreakpointByUrl', { urlRegex: 'functions/get-pet\\.ts$', lineNumber: 11 });
      sendToWorker('Runtime.runIfWaitingForDebugger');
    }
    if (method === 'NodeWorker.receivedMessageFromWorker' && params.message.includes('Debugger.paused')) {
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
  const files = readdirSync(project.directory);
  const dev = new CommandProcess(
    'bin/local.ts',
    ['--watch', '--inspect', '0', '--port', '0', '--pets', '1'],
    { project: project.directory },
  );
  const api = { baseUrl: '', apiKey: '', petId: '' };
  const onStart = vi.fn();
  const onPause = vi.fn();
  let attached: WebSocket;

  beforeAll(async () => {
    const [, baseUrl = '', apiKey = '', petId = ''] = await dev.printed(
      'stdout',
      /^Pet Store is ready\. .+:\n\n.*BASE_URL[ =']+([^\s']+).*\n.*API_KEY[ =']+(\w+)[\s\S]+\/pets\/(\d+)"/,
    );
    Object.assign(api, { baseUrl, apiKey, petId });
    const [, url = ''] = await dev.printed('stderr', /Debugger listening on (\S+)/);
    attached = await attach(url, onStart, onPause);
  }, 120_000);
  afterAll(async () => {
    // Although the debugger is attached.
    await dev.exit('SIGTERM');
    attached.close();
    project.remove();
  });

  /** Gets the pet of the greeting until the response is as expected. */
  async function expectSoon(expected: object): Promise<void> {
    const response = () => apiClient(api)('GET', `/pets/${api.petId}`);
    await vi.waitFor(async () => expect(await response()).toMatchObject(expected), 60_000);
  }

  it('prints a line per request', async () => {
    const { headers } = await apiClient(api)('GET', '/pets?limit=1');

    const line = `^GET /v1/pets\\?limit=1 200 \\d+ ms ${headers['x-amzn-requestid']}$`;
    await dev.printed('stdout', new RegExp(line, 'm'));
  });

  it('writes nothing in the project', () => {
    expect(readdirSync(project.directory)).toStrictEqual(files);
  });

  it('serves the reference of the current sources', async () => {
    const reference = async () => (await fetch(new URL('/openapi.json', api.baseUrl))).text();
    expect(await reference()).toContain('## Paging');

    project.edit('infra/reference/guide.md', '## Paging', '## Turning pages');

    expect(await reference()).toContain('## Turning pages');
  });

  const saves = {
    'in place': writeFileSync,
    'by rename': (path: string, text: string) => {
      writeFileSync(`${path}~`, text);
      renameSync(`${path}~`, path);
    },
  };
  it.each(Object.entries(saves))('pauses at a breakpoint in a source that is saved %s', async (how, save) => {
    onStart.mockClear();
    onPause.mockClear();

    project.edit(
      getPet,
      /jsonResponse<.*/,
      `jsonResponse<typeof getPet>(200, { ...pet, name: 'Saved ${how}' }, {});`,
      save,
    );

    // The tables, the port and the key are the same.
    await expectSoon({ status: 200, body: { name: `Saved ${how}` } });
    expect(onPause).toHaveBeenCalled();
    // No other function has changed.
    expect(onStart.mock.calls).toEqual([[expect.stringContaining('GetPet')]]);
  });

  it('asks for a restart when the server changes', async () => {
    project.edit('bin/local.ts', 'try', '\ntry');

    await dev.printed('stderr', /^Restart npm run dev to apply the change: bin\/local\.ts$/m);
  });

  it.each([
    [
      'shared/http/deprecated.ts',
      'import',
      '= import',
      /^✘ \[ERROR\] Unexpected "="\n\n {4}shared\/http\/deprecated\.ts:1:0:\n.*= import.*\n.*\^\nNot reloaded: /m,
      'The last good version keeps running.',
    ],
    [
      'infra/monitoring/indicators.ts',
      'super(scope, id);',
      "super(scope, id); throw new Error('no\talarms');",
      /^Error: no\talarms\n {4}at .*infra\/monitoring\/indicators\.ts:\d+:\d+/m,
      'The last good stack keeps running.',
    ],
    [
      'bin/pet-store.ts',
      'const Context',
      'process.exit(0);\nconst Context',
      /^The CDK app ended before it wrote the stack\.$/m,
      'The last good stack keeps running.',
    ],
    [
      'cdk.json',
      '"context":',
      '"context"',
      /^✘ \[ERROR\] Expected ":" in JSON but found "{"\n\n {4}cdk\.json:3:/m,
      'The last good stack keeps running.',
    ],
    [
      'package.json',
      '"license":',
      '"license"',
      /^✘ \[ERROR\] Expected ":" in JSON but found .*\n\n {4}package\.json:5:/m,
      'The last good version keeps running.',
    ],
    [
      'tsconfig.json',
      '"strict":',
      '"strict"',
      /^✘ \[ERROR\] Expected ":" in JSON but found .*\n\n {4}tsconfig\.json:\d+:/m,
      'The last good version keeps running.',
    ],
  ])('reports where %s fails until it is repaired', async (file, from, to, error, end) => {
    const before = project.edit(file, from, to);

    await dev.printed('stderr', error);
    const notReloaded = `Not reloaded: ${file}\\. ${end}\n`;
    await dev.printed('stderr', new RegExp(notReloaded));
    await expectSoon({ status: 200 });

    writeFileSync(project.path(file), before);
    await dev.printed('stderr', new RegExp(`${notReloaded}(Reloading…\n)?Reloaded in [\\d.]+ s: ${file}\n`));
  });

  it('reports that a handler is missing until it is back', async () => {
    renameSync(project.path(getPet), project.path('functions/another.ts'));

    await dev.printed('stderr', /^Error: There is no functions\/get-pet\.ts: write the handler there\.$/m);
    // A burst ends before or after chokidar tells that a file is gone.
    const names = '(functions/(get-pet|another)\\.ts(, )?)+';
    const end = `Not reloaded: ${names}\\. The last good stack keeps running\\.\n`;
    await dev.printed('stderr', new RegExp(end));
    await expectSoon({ status: 200 });
    renameSync(project.path('functions/another.ts'), project.path(getPet));
    await dev.printed('stderr', new RegExp(`${end}(Reloading…\n)?Reloaded in [\\d.]+ s: ${names}\n`));
  });

  it('serves the last version of functions that fail to start', async () => {
    const file = 'shared/http/api-handler.ts';
    const before = project.edit(
      file,
      /^import/,
      "if (process.env['PETS_TABLE']) throw new Error('no API');\nimport",
    );

    const handlers = 'functions/create-pet.ts, functions/get-pet.ts, functions/list-pets.ts';
    const error = `^${handlers} can't start:\nError: no API\n {4}at ${file}:1:38\n`;
    const end = `Not reloaded: ${handlers}, after the save of ${file}\\. The last good version keeps running\\.\n`;
    await dev.printed('stderr', new RegExp(error + end, 'm'));
    await expectSoon({ status: 200 });
    writeFileSync(project.path(file), before);
    await dev.printed('stderr', new RegExp(`${end}(Reloading…\n)?Reloaded in [\\d.]+ s: ${file}\n`));
  });

  it('responds to every request while the functions and the stack rename a variable', async () => {
    const file = 'shared/tables/table-definitions.ts';
    const statuses = new Set<number>();
    let isReloaded = false;

    const before = project.edit(file, "'PETS_TABLE'", "'TABLE_OF_PETS'");
    const reloaded = dev.printed('stderr', new RegExp(`Reloaded in [\\d.]+ s: ${file}\n`));
    void reloaded.finally(() => {
      isReloaded = true;
    });
    while (!isReloaded) {
      statuses.add((await apiClient(api)('GET', '/pets?limit=1')).status);
      // The reload needs the processor, too.
      await pause(100);
    }
    await reloaded;

    expect([...statuses]).toEqual([200]);
    writeFileSync(project.path(file), before);
    await dev.printed('stderr', new RegExp(`(Reloaded in [\\d.]+ s: ${file}\n[^]*){2}`));
  });

  it('prints a type error with its place after a reload', async () => {
    project.edit(getPet, /^import/, "const size: number = 'big';\nimport");

    const heading = '^2 type errors after the save of .*functions/get-pet\\.ts.*:\n';
    await dev.printed('stderr', new RegExp(`${heading}functions/get-pet\\.ts\\(1,7\\): error TS2322: `, 'm'));
  });

  it('does not reload for an empty folder', async () => {
    mkdirSync(project.path('infra/empty'));
    project.edit(getPet, /^const size.*\n/, '');

    // A reload of the folder would be on this line, or before.
    await dev.printed('stderr', /Reloaded in [\d.]+ s: functions\/get-pet\.ts\n$/);
    expect(dev.printedUntilNow('stderr')).not.toContain('infra/empty');
  });
});

describe('broken sources', { timeout: 120_000 }, () => {
  const project = new ProjectCopy();
  afterAll(() => project.remove());
  const error = '✘ [ERROR] Could not resolve "./nothing.ts"\n\n    functions/get-pet.ts:1:7:\n';
  const flags = ['--port', '0', '--pets', '0'];

  it('end npm start with the mistake on several lines', async () => {
    project.edit(getPet, /^import/, "import './nothing.ts';\nimport");

    const { exitCode, stdout, stderr } = await runCommand('bin/local.ts', flags, {
      project: project.directory,
    });

    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr.slice(0, error.length)).toBe(error);
    expect(stderr.match(/nothing\.ts/g)).toHaveLength(2);
  });

  it('let npm run dev wait for the repair', async () => {
    const dev = new CommandProcess('bin/local.ts', ['--watch', ...flags], { project: project.directory });
    await dev.printed('stderr', new RegExp(`^${RegExp.escape(error)}[^✘]+\nWaiting for a change\\.\n$`));

    project.edit(getPet, "import './nothing.ts';\n", '');

    await dev.printed('stdout', /^Pet Store is ready\./);
    await dev.exit('SIGTERM');
  });
});
