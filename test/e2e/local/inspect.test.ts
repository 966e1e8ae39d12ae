import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandProcess } from '../../support/local/command-process.ts';
import { ProjectCopy } from '../../support/local/project-copy.ts';

const listPets = 'functions/list-pets.ts';

/** Sets a breakpoint in each line of the handler, as an editor does, and returns the first pause. */
async function pauseAt(inspectorUrl: string) {
  const socket = new WebSocket(inspectorUrl);
  const send = (method: string, params = {}) => socket.send(JSON.stringify({ id: 1, method, params }));
  await once(socket, 'open');
  send('Debugger.enable');
  for (let lineNumber = 0; lineNumber < 30; lineNumber += 1) {
    send('Debugger.setBreakpointByUrl', { urlRegex: 'functions/list-pets\\.ts$', lineNumber });
  }
  const { promise: paused, resolve } = Promise.withResolvers<string>();
  socket.addEventListener('message', ({ data }) => {
    const { method, params } = JSON.parse(data);
    if (method === 'Debugger.paused') resolve(params.hitBreakpoints[0]);
  });
  return { paused, detach: () => socket.close() };
}

describe('npm run dev -- --inspect', { timeout: 120_000 }, () => {
  // A copy, which the test edits.
  const project = new ProjectCopy();
  const dev = new CommandProcess(
    'bin/local.ts',
    ['--watch', '--inspect', '--json', '--port', '0', '--pets', '1'],
    { project: project.directory },
  );
  let ready: { baseUrl: string; apiKey: string };
  beforeAll(async () => {
    const [line = ''] = await dev.printed('stdout', /^\{.+\}$/m);
    ready = JSON.parse(line);
  }, 120_000);
  afterAll(async () => {
    await dev.exit('SIGTERM');
    project.remove();
  });

  const listening = new RegExp(`^${listPets}: Debugger listening on (ws://127\\.0\\.0\\.1:\\d+/\\S+)$`, 'm');
  const requestPets = () =>
    fetch(`${ready.baseUrl}/pets`, { headers: { Authorization: `Bearer ${ready.apiKey}` } });

  it('pauses a function in its source, for longer than its time limit', async () => {
    const [, url = ''] = await dev.printed('stderr', listening);
    const { paused, detach } = await pauseAt(url);
    const response = requestPets();

    expect(await paused).toContain('list-pets');
    await new Promise((resolve) => setTimeout(resolve, 11_000));
    detach();

    expect((await response).status).toBe(200);
  });

  it('pauses the next version of a function that is saved', async () => {
    const before = dev.printedUntilNow('stderr').length;
    project.edit(listPets, /$/, '\nexport const isSaved = true;\n');
    const [, url = ''] = await dev.printed(
      'stderr',
      new RegExp(`(?<=^[^]{${before}}[^]*)${listening.source}`, 'm'),
    );
    const { paused, detach } = await pauseAt(url);
    const response = requestPets();

    expect(await paused).toContain('list-pets');
    detach();

    expect((await response).status).toBe(200);
  });
});
