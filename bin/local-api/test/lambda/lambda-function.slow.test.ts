import { once } from 'node:events';
import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { temporaryDirectory } from '../../../../test/support/e2e/temporary-file.ts';
import { watchProcesses } from '../../../cli/test/support/watch-processes.ts';
import { lambdaFunction } from '../../lambda/lambda-function.ts';
import { stubFunction } from '../support/stub-deployment.ts';
import { largeLimits, stubProject } from '../support/stub-project.ts';

const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
afterEach(() => written.mockClear());

type Settings = Partial<Parameters<typeof lambdaFunction>[1]>;

/** A function of `stub-functions/`, whose log is written for people. */
function functionOf(handler: string, change: object = {}, { limits = {}, ...settings }: Settings = {}) {
  const spec = { ...stubFunction('stub'), handler, ...change };
  const local = lambdaFunction(spec, {
    project: stubProject,
    hasReadableLog: true,
    limits: { ...largeLimits, ...limits },
    ...settings,
  });
  onTestFinished(() => local.close());
  return local;
}

/** Windows tells no signal. */
const killed = process.platform === 'win32' ? 'exit status 1' : 'signal: SIGKILL';

const logOf = () => written.mock.calls.map(([line]) => line).join('');

describe('a function', () => {
  it.each([
    [
      'failures.floatingRejection',
      'Runtime.UnhandledPromiseRejection: RangeError: It was rejected.',
      ':7:18',
    ],
    ['failures.throwInTimer', 'TypeError: It was thrown.', ':13:11'],
    [
      'fails-at-import.handler',
      'ReferenceError: It failed\nat import.',
      ':1:7(\n {4}at .*)*\nCaused by: TypeError: This was why.',
    ],
  ])('logs the failure of %s with its place', async (handler, message, place) => {
    const outcome = await functionOf(handler).invoke({});

    expect(logOf()).toMatch(new RegExp(`^ERROR stub: ${message}\n {4}at .*stub-functions/.*\\.mjs${place}`));
    expect(outcome).toMatchObject({ error: { errorMessage: expect.any(String) } });
  });

  it.each([
    [
      'misspelled.handler',
      'Runtime.HandlerNotFound',
      'misspelled.handler is undefined or not exported. The module exports: handle.',
    ],
    [
      'awaits-nothing.handler',
      'Runtime.ExitError',
      'Runtime exited with error: exit status 13: it awaits a promise that nothing can settle any more',
    ],
    ['failures.throwObject', 'object', '[object Object]'],
    ['failures.exitWith3', 'Runtime.ExitError', 'Runtime exited with error: exit status 3'],
    ['failures.useAllMemory', 'Runtime.OutOfMemory', 'The function used more than its 32 MB of memory.'],
    ['failures.killProcess', 'Runtime.ExitError', `Runtime exited with error: ${killed}`],
  ])('logs the failure of %s without a place', async (handler, errorType, errorMessage) => {
    const outcome = await functionOf(handler, { memoryMb: 32 }).invoke({});

    expect(outcome).toMatchObject({ error: { errorType, errorMessage } });
    expect(logOf()).toBe(`ERROR stub: ${errorType}: ${errorMessage}\n`);
  });

  // Windows has no signal that opens the inspector.
  it.skipIf(process.platform === 'win32')('names the line of a loop at its timeout', async () => {
    await functionOf('failures.loopLater', { timeoutMs: 200 }).invoke({});

    const message = 'ERROR stub: Sandbox.Timedout: Task timed out after 0.20 seconds';
    expect(logOf()).toMatch(new RegExp(`^${message}\n {4}at loopLater .*failures\\.mjs:`));
  });

  it.skipIf(process.platform === 'win32')('lists no inspector for other users of the machine', async () => {
    const { ofNode } = watchProcesses();
    await functionOf('index.tellDirectory').start();

    const [child] = ofNode();
    child?.kill('SIGUSR1');
    const [printed] = await once(child?.stderr ?? process.stderr, 'data');
    const [, port] = /^Debugger listening on ws:\/\/127\.0\.0\.1:(\d+)\/./.exec(String(printed)) ?? [];

    const list = await fetch(`http://127.0.0.1:${port}/json/list`).then((response) => response.text());
    expect(list).not.toMatch(/ws:|[\da-f-]{36}/);
  });

  it.each([
    ['waits', 'failures.neverRespond', {}],
    ['is in a native call', 'failures.computeHash', { place: 100 }],
  ])('ends its process at its timeout if it %s', async (_title, handler, limits) => {
    const { ids, running } = watchProcesses();

    const outcome = await functionOf(handler, { timeoutMs: 200 }, { limits }).invoke({});

    const errorMessage = 'Task timed out after 0.20 seconds';
    expect(outcome).toEqual({ error: { errorType: 'Sandbox.Timedout', errorMessage, stackTrace: [] } });
    expect(logOf()).toBe(`ERROR stub: Sandbox.Timedout: ${errorMessage}\n`);
    expect(ids()).toHaveLength(1);
    await vi.waitFor(() => expect(running()).toEqual([]), { timeout: 20_000 });
  });

  it.skipIf(process.platform === 'win32')('ends its process at its timeout after SIGSTOP', async () => {
    const { ids, running } = watchProcesses();
    const local = functionOf('failures.endOrRespond', { timeoutMs: 3000 }, { limits: { place: 200 } });
    await local.invoke({});

    for (const id of ids()) process.kill(id, 'SIGSTOP');
    const outcome = await local.invoke({});

    expect(outcome).toMatchObject({ error: { errorType: 'Sandbox.Timedout' } });
    await vi.waitFor(() => expect(running()).toEqual([]), { timeout: 20_000 });
  });

  it('ends its processes, whatever they do, when it is closed', async () => {
    const { ids, running } = watchProcesses();
    const local = functionOf('failures.endOrRespond');
    await local.invoke({});
    const names = ['loopForever', 'computeHash', 'exit'];
    const outcomes = Promise.all(names.map((name) => local.invoke({ name })));
    await vi.waitFor(() => expect(logOf()).toMatch(/^(loopForever|computeHash)\n(?!\1).+\n$/), 60_000);

    await local.close();

    expect(running()).toEqual([]);
    expect(ids()).toHaveLength(2);
    expect(await outcomes).toMatchObject(Array(3).fill({ error: { errorType: 'Runtime.ExitError' } }));
  });

  it('names the source of its handler, in place of its own name in the stack', async () => {
    await functionOf('index.fail').invoke({});

    const source = 'functions/../bin/local-api/test/support/stub-functions/index.mjs';
    expect(logOf().slice(0, source.length + 29)).toBe(`ERROR ${source}: TypeError: It failed.`);
  });

  it('serves the next request after one ended its process', async () => {
    const local = functionOf('failures.endOrRespond');

    const first = await local.invoke({ name: 'exit' });
    const next = await local.invoke({});

    expect(first).toMatchObject({ error: { errorType: 'Runtime.ExitError' } });
    expect(next).toEqual({ payload: { statusCode: 200 } });
  });

  it("prints of V8's report on its end only the reason", async () => {
    await functionOf('failures.breakV8').invoke({});

    const message = `Runtime exited with error: ${killed}`;
    expect(logOf()).toBe(
      `its own words\nERROR stub: Runtime.ExitError: ${message}\nFATAL ERROR: It broke.\n`,
    );
  });

  it("logs JSON as Lambda's runtime does, from INFO on", async () => {
    await functionOf('index.log', {}, { hasReadableLog: false }).invoke({});

    const lines = logOf().trimEnd().split('\n');
    const errorMessage = 'It failed.';
    const stackTrace = expect.arrayContaining(['TypeError: It failed.']);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'INFO', message: '2 pets', timestamp: expect.any(String), requestId: expect.any(String) },
      { level: 'INFO', message: {} },
      { level: 'INFO', message: '{ count: 1n }' },
      { level: 'WARN', message: expect.stringMatching(/^It failed: RangeError: Too many\.\n/) },
      { level: 'ERROR', message: { errorType: 'TypeError', errorMessage, stackTrace, code: 'E_TYPE' } },
    ]);
  });

  it('logs what Node prints, with its source, where people read it', async () => {
    await functionOf('index.log').invoke({});

    const source = 'functions/../bin/local-api/test/support/stub-functions/index.mjs';
    const lines = logOf().trimEnd().split('\n');
    expect(lines.filter((line) => !line.startsWith('    at '))).toEqual([
      `DEBUG ${source}: details`,
      `INFO ${source}: 2 pets`,
      `INFO ${source}: Map(1) { 'name' => 'Bella' }`,
      `INFO ${source}: { count: 1n }`,
      `WARN ${source}: It failed: RangeError: Too many.`,
      `ERROR ${source}: TypeError: It failed.`,
      "  code: 'E_TYPE'",
      '}',
    ]);
  });

  it.each([
    ['once for people', 1, true],
    ['twice as JSON, as Lambda does', 2, false],
  ])('logs an error that it logs itself %s', async (_how, times, hasReadableLog) => {
    const outcome = await functionOf('failures.logAndThrow', {}, { hasReadableLog }).invoke({});

    expect(logOf().match(/at logAndThrow/g)).toHaveLength(times);
    expect(outcome).toMatchObject({ error: { errorMessage: 'It failed\nonce.' } });
  });

  it('logs what the project says of a message, or nothing', async () => {
    const describeLog = (message: unknown) =>
      typeof message === 'string' ? '' : message === null ? undefined : 'A message.';
    await functionOf('index.logObject', {}, { project: { ...stubProject, describeLog } }).invoke({});

    expect(logOf()).toBe(
      'INFO functions/../bin/local-api/test/support/stub-functions/index.mjs: A message.\n',
    );
  });

  it('works in the directory of its bundle', async () => {
    const outcome = await functionOf('index.tellDirectory').invoke({});

    // From a folder with an odd name, the tests run through a link.
    const codeDirectory = realpathSync(stubFunction('stub').codeDirectory);
    expect(outcome).toEqual({ payload: [codeDirectory, `${codeDirectory}/index.mjs`] });
  });

  it('ends an environment that has been idle, unless it is the only one', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { running } = watchProcesses();
    const local = functionOf('failures.endOrRespond', {}, { limits: { idle: 50 } });
    await Promise.all([local.invoke({}), local.invoke({})]);
    expect(running()).toHaveLength(2);

    vi.advanceTimersByTime(1000);

    await vi.waitFor(() => expect(running()).toHaveLength(1), 20_000);
    expect(await local.invoke({})).toEqual({ payload: { statusCode: 200 } });
    expect(running()).toHaveLength(1);
  });

  describe('that is debugged', () => {
    it('has no limit of memory', async () => {
      const outcome = await functionOf('index.useMemory', { memoryMb: 32 }, { isDebugged: true }).invoke({});

      expect(outcome).toEqual({ payload: 5_000_000 });
    });

    it('pauses in its source for longer than its time limit', async () => {
      const codeDirectory = temporaryDirectory(onTestFinished);
      const sources = ['functions/../bin/local-api/test/support/stub-functions/index.mjs'];
      writeFileSync(join(codeDirectory, 'index.mjs'), '');
      writeFileSync(join(codeDirectory, 'index.mjs.map'), JSON.stringify({ sources }));
      const change = { codeDirectory, timeoutMs: 1 };
      const debugged = functionOf('index.tellRemainingTime', change, { isDebugged: true });
      await debugged.start();
      const [, url = ''] = /^functions\/.*index\.mjs: Debugger listening on (ws:\S+)\n$/.exec(logOf()) ?? [];
      const socket = new WebSocket(url);
      await once(socket, 'open');
      const send = (method: string, params = {}) => socket.send(JSON.stringify({ id: 1, method, params }));
      send('Debugger.enable');
      for (let lineNumber = 0; lineNumber < 60; lineNumber += 1) {
        send('Debugger.setBreakpointByUrl', { urlRegex: 'stub-functions/index\\.mjs$', lineNumber });
      }
      const { promise: paused, resolve } = Promise.withResolvers<string>();
      socket.addEventListener('message', ({ data }) => {
        const { method, params } = JSON.parse(data);
        if (method === 'Debugger.paused') resolve(params.callFrames[0].functionName);
      });
      const outcome = debugged.invoke({});

      expect(await paused).toBe('tellRemainingTime');
      socket.close();

      expect(await outcome).toEqual({
        payload: expect.toSatisfy((milliseconds) => milliseconds > 80_000_000),
      });
    });
  });
});
