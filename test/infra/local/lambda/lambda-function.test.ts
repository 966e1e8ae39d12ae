import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { realpathSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { lambdaFunction } from '../../../../infra/local/lambda/lambda-function.ts';
import { stubFunction } from '../../../support/infra/stub-deployment.ts';
import { stubProject } from '../../../support/infra/stub-project.ts';

const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
afterEach(() => written.mockClear());

/** A function of `stub-functions/`, whose log is written for people. */
function functionOf(handler: string, change: object = {}, settings: object = {}) {
  const spec = { ...stubFunction('stub'), handler, ...change };
  const local = lambdaFunction(spec, { project: stubProject, hasReadableLog: true, ...settings });
  onTestFinished(() => local.close());
  return local;
}

/** Windows tells no signal. */
const killed = process.platform === 'win32' ? 'exit status 1' : 'signal: SIGKILL';

const logOf = () => written.mock.calls.map(([line]) => line).join('');

/** Watches the processes of functions that start from now on. */
function watchProcesses() {
  const started: ChildProcess[] = [];
  const onStart = (message: unknown) => started.push((message as { process: ChildProcess }).process);
  subscribe('child_process', onStart);
  onTestFinished(() => void unsubscribe('child_process', onStart));
  const ids = () =>
    started.filter(({ spawnfile }) => spawnfile === process.execPath).map(({ pid = 0 }) => pid);
  return { ids, running: () => ids().filter(isRunning) };
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

describe('a function', () => {
  it('runs in UTC, wherever the local API runs', async () => {
    vi.stubEnv('TZ', 'Asia/Tokyo');
    onTestFinished(() => void vi.unstubAllEnvs());

    const outcome = await functionOf('index.tellTimeZone', { environment: { TZ: ':UTC' } }).invoke({});

    expect(outcome).toEqual({ payload: { timeZone: 'UTC', midnight: 0 } });
  });

  it.each([
    ['floatingRejection', {}, 'Runtime.UnhandledPromiseRejection: RangeError: It was rejected.', ':6:18'],
    ['throwInTimer', {}, 'TypeError: It was thrown.', ':12:11'],
    ['exitWith3', {}, 'Runtime.ExitError: Runtime exited with error: exit status 3', ':18:11'],
    ['throwAtImport', { handler: 'fails-at-import.handler' }, 'ReferenceError: It failed at import.', ':1:7'],
  ])('logs the failure of %s with its place', async (name, change, message, place) => {
    const outcome = await functionOf(`failures.${name}`, change).invoke({});

    expect(logOf()).toMatch(new RegExp(`^ERROR stub: ${message}\n {4}at .*stub-functions/.*\\.mjs${place}`));
    expect(outcome).toMatchObject({ error: { errorMessage: expect.any(String) } });
  });

  it.each([
    [
      'missing',
      { handler: 'misspelled.handler' },
      'Runtime.HandlerNotFound',
      'misspelled.handler is undefined or not exported. The module exports: handle.',
    ],
    [
      'a module whose await nothing settles',
      { handler: 'awaits-nothing.handler' },
      'Runtime.ExitError',
      'Runtime exited with error: exit status 13',
    ],
    [
      'respondWithBigInt',
      {},
      'TypeError',
      "The response has a BigInt, which JSON can't represent: headers.X-Count.1.",
    ],
    ['throwObject', {}, 'object', 'an object of the class Object with the fields: reason, status'],
    [
      'rejectWithObject',
      {},
      'Runtime.UnhandledPromiseRejection',
      'object: an object of the class Object with the fields: reason',
    ],
    ['exitUnheard', {}, 'Runtime.ExitError', 'Runtime exited with error: exit status 4'],
    [
      'useAllMemory',
      { memoryMb: 160, timeoutMs: 20_000 },
      'Runtime.OutOfMemory',
      'The function used more than its 160 MB of memory.',
    ],
    [
      'useMemoryAtOnce',
      { memoryMb: 128, timeoutMs: 20_000 },
      'Runtime.OutOfMemory',
      'The function used more than its 128 MB of memory.',
    ],
    ['killProcess', {}, 'Runtime.ExitError', `Runtime exited with error: ${killed}`],
  ])('logs the failure of %s without a place', async (name, change, errorType, errorMessage) => {
    const outcome = await functionOf(`failures.${name}`, change).invoke({});

    expect(outcome).toMatchObject({ error: { errorType, errorMessage } });
    expect(logOf()).toBe(`ERROR stub: ${errorType}: ${errorMessage}\n`);
  });

  // Windows has no signal that opens the inspector.
  it.skipIf(process.platform === 'win32').each(['loopForever', 'loopLater'])(
    'names the line of a loop at its timeout: %s',
    async (name) => {
      await functionOf(`failures.${name}`, { timeoutMs: 1000 }).invoke({});

      const message = 'ERROR stub: Sandbox.Timedout: Task timed out after 1.00 seconds';
      const lines = new RegExp(`^${message}\n {4}at ${name} .*failures\\.mjs:`);
      await vi.waitFor(() => expect(logOf()).toMatch(lines), { timeout: 20_000 });
    },
  );

  it('responds at its timeout, before it logs where it was', async () => {
    const outcome = await functionOf('failures.neverRespond', { timeoutMs: 300 }).invoke({});

    const errorMessage = 'Task timed out after 0.30 seconds';
    expect(outcome).toEqual({ error: { errorType: 'Sandbox.Timedout', errorMessage, stackTrace: [] } });
    expect(logOf()).toBe('');
    const line = `ERROR stub: Sandbox.Timedout: ${errorMessage}\n`;
    await vi.waitFor(() => expect(logOf()).toBe(line), { timeout: 20_000 });
  });

  it('ends its process at its timeout in a native call', async () => {
    const { ids, running } = watchProcesses();

    const outcome = await functionOf('failures.computeHash', { timeoutMs: 300 }).invoke({});

    expect(outcome).toMatchObject({ error: { errorType: 'Sandbox.Timedout' } });
    expect(ids()).toHaveLength(1);
    await vi.waitFor(() => expect(running()).toEqual([]), { timeout: 20_000 });
  });

  it.skipIf(process.platform === 'win32')('ends its process at its timeout after SIGSTOP', async () => {
    const { ids, running } = watchProcesses();
    const local = functionOf('failures.endOrRespond', { timeoutMs: 300 });
    await local.invoke({});

    for (const id of ids()) process.kill(id, 'SIGSTOP');
    const outcome = await local.invoke({});

    expect(outcome).toMatchObject({ error: { errorType: 'Sandbox.Timedout' } });
    await vi.waitFor(() => expect(running()).toEqual([]), { timeout: 20_000 });
  });

  it.each(['loopForever', 'computeHash'])('ends its process in %s when it is closed', async (name) => {
    const { ids, running } = watchProcesses();
    const local = functionOf('failures.endOrRespond', { timeoutMs: 60_000 });
    await local.invoke({});
    const outcomes = Promise.all([local.invoke({ name }), local.invoke({ name }), local.invoke({ name })]);
    await pause(300);

    await local.close();

    expect(running()).toEqual([]);
    expect(ids()).toHaveLength(2);
    expect(await outcomes).toMatchObject(Array(3).fill({ error: { errorType: 'Runtime.ExitError' } }));
  });

  it('names the source of its handler, in place of its own name in the stack', async () => {
    await functionOf('index.fail').invoke({});

    const source = 'functions/../test/support/infra/stub-functions/index.mjs';
    expect(logOf().slice(0, source.length + 29)).toBe(`ERROR ${source}: TypeError: It failed.`);
  });

  it('says that a circular import can be the cause of its failure', async () => {
    await functionOf('imports-itself.handler').invoke({});

    const [message, place] = logOf().split('\n');
    const hint = 'A circular import can be the cause.';
    expect(message).toBe(`ERROR stub: ReferenceError: Cannot access 'first' before initialization. ${hint}`);
    expect(place).toContain('stub-functions/imported-back.mjs:4:');
  });

  it.each(['exit', 'useMemoryAtOnce', 'killProcess'])(
    'serves the next request after %s ended its process',
    async (name) => {
      const local = functionOf('failures.endOrRespond', { timeoutMs: 20_000 });

      const first = await local.invoke({ name });
      const next = await local.invoke({});

      expect(first).toMatchObject({ error: { errorType: expect.stringMatching(/^Runtime\./) } });
      expect(next).toEqual({ payload: { statusCode: 200 } });
    },
  );

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

    const source = 'functions/../test/support/infra/stub-functions/index.mjs';
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

  it('logs what the project says of a message, or nothing', async () => {
    const describeLog = (message: unknown) =>
      typeof message === 'string' ? '' : message === null ? undefined : 'A message.';
    await functionOf('index.logObject', {}, { project: { ...stubProject, describeLog } }).invoke({});

    expect(logOf()).toBe('INFO functions/../test/support/infra/stub-functions/index.mjs: A message.\n');
  });

  it('works in the directory of its bundle', async () => {
    const outcome = await functionOf('index.tellDirectory').invoke({});

    // In a folder with an odd name, the tests run through a link.
    const codeDirectory = realpathSync(stubFunction('stub').codeDirectory);
    expect(outcome).toEqual({ payload: [codeDirectory, `${codeDirectory}/index.mjs`] });
  });

  it('ends an environment that has been idle for 10 s, unless it is the only one', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { running } = watchProcesses();
    const local = functionOf('failures.endOrRespond');
    await Promise.all([local.invoke({}), local.invoke({})]);
    expect(running()).toHaveLength(2);

    await vi.advanceTimersByTimeAsync(20_000);

    await vi.waitFor(() => expect(running()).toHaveLength(1));
    expect(await local.invoke({})).toEqual({ payload: { statusCode: 200 } });
  });

  describe('that is debugged', () => {
    it('has no limit of memory', async () => {
      const outcome = await functionOf('index.useMemory', { memoryMb: 32 }, { isDebugged: true }).invoke({});

      expect(outcome).toEqual({ payload: 4 });
    });

    it('has no time limit', async () => {
      const debugged = functionOf('index.tellRemainingTime', { timeoutMs: 1 }, { isDebugged: true });

      const outcome = await debugged.invoke({});

      expect(outcome).toEqual({ payload: expect.toSatisfy((milliseconds) => milliseconds > 80_000_000) });
    });

    it('prints where its inspector listens', async () => {
      await functionOf('index.tellDirectory', {}, { isDebugged: true }).invoke({});

      expect(logOf()).toMatch(
        /^functions\/.*index\.mjs: Debugger listening on ws:\/\/127\.0\.0\.1:\d+\/.*\n$/,
      );
    });
  });
});
