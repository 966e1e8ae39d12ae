import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startEnvironment } from '../../../../infra/local/lambda/execution-environment.ts';
import { localFunction } from '../../../../infra/local/lambda/local-function.ts';
import { stubFunction } from '../../../support/infra/stub-deployment.ts';

const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
afterEach(() => written.mockClear());

/** A function of `stub-functions/`, whose log is written for people. */
function functionOf(handler: string, change: object = {}, settings: object = {}) {
  const spec = { ...stubFunction('stub'), handler, ...change };
  const local = localFunction(spec, { hasReadableLog: true, ...settings });
  onTestFinished(() => local.close());
  return local;
}

/** Windows tells no signal. */
const killed = process.platform === 'win32' ? 'exit code 1' : 'SIGKILL';
const endOfProcess = `The process of the function ended without a response, with ${killed}.`;

const logOf = () => written.mock.calls.map(([line]) => line).join('');

describe('a function', () => {
  it('runs in UTC, wherever the local API runs', async () => {
    vi.stubEnv('TZ', 'Asia/Tokyo');
    onTestFinished(() => void vi.unstubAllEnvs());

    const outcome = await functionOf('index.tellTimeZone').invoke({});

    expect(outcome).toEqual({ payload: { timeZone: 'UTC', midnight: 0 } });
  });

  it.each([
    ['floatingRejection', {}, 'Runtime.UnhandledPromiseRejection: RangeError: It was rejected.', ':6:18'],
    ['throwInTimer', {}, 'TypeError: It was thrown.', ':12:11'],
    ['exitWith3', {}, 'Runtime.ExitError: Runtime exited with error: exit status 3', ':18:11'],
    ['loopForever', { timeoutMs: 1000 }, 'Sandbox.Timedout: Task timed out after 1.00 seconds', ':22:3'],
    ['throwUnheard', {}, 'RangeError: Nobody heard it.', ':65:11'],
    [
      'the module',
      { handler: 'awaits-nothing.handler' },
      'Runtime.ExitError: The module awaits a promise that nothing can settle any more.',
      ':7:7',
    ],
    ['throwAtImport', { handler: 'fails-at-import.handler' }, 'ReferenceError: It failed at import.', ':1:7'],
  ])('logs the failure of %s with its place', async (name, change, message, place) => {
    const outcome = await functionOf(`failures.${name}`, change).invoke({});

    const lines = new RegExp(`^ERROR stub\n${message}\n {4}at .*stub-functions/.*\\.mjs${place}`);
    await vi.waitFor(() => expect(logOf()).toMatch(lines), { timeout: 20_000 });
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
    ['throwTextUnheard', {}, 'string', 'It was thrown.'],
    ['exitUnheard', {}, 'Runtime.ExitError', 'The function ended without a response, with exit code 4.'],
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
    ['killProcess', {}, 'Runtime.ExitError', endOfProcess],
  ])('logs the failure of %s without a place', async (name, change, errorType, errorMessage) => {
    const outcome = await functionOf(`failures.${name}`, change).invoke({});

    expect(outcome).toMatchObject({ error: { errorType, errorMessage } });
    expect(logOf()).toBe(`ERROR stub\n${errorType}: ${errorMessage}\n`);
  });

  it.each(['neverRespond', 'computeHash'])(
    'responds at its timeout, before it logs where %s was',
    async (name) => {
      const writeFailure = vi.fn();
      const spec = { ...stubFunction('stub'), handler: `failures.${name}`, timeoutMs: 50 };
      const log = { write: () => undefined, writeFailure };

      // In this process: from another, both could arrive at once.
      const outcome = await startEnvironment(spec, { log }).invoke({});

      expect(writeFailure).not.toHaveBeenCalled();
      const failure = { errorType: 'Sandbox.Timedout', errorMessage: 'Task timed out after 0.05 seconds' };
      expect(outcome).toMatchObject({ error: failure });
      const logged = () =>
        expect(writeFailure).toHaveBeenCalledExactlyOnceWith(expect.objectContaining(failure));
      await vi.waitFor(logged, { timeout: 20_000 });
    },
  );

  it('names the source of its handler, in place of its own name in the stack', async () => {
    await functionOf('index.fail').invoke({});

    const source = 'functions/../test/support/infra/stub-functions/index.mjs';
    expect(logOf().slice(0, source.length + 28)).toBe(`ERROR ${source}\nTypeError: It failed.`);
  });

  it('names the source of its handler with an error that it logs', async () => {
    await functionOf('index.logError').invoke({});

    const source = 'functions/../test/support/infra/stub-functions/index.mjs';
    expect(logOf()).toBe(`WARN ${source}: It was not sent.\nTypeError: fetch failed\nINFO It went on.\n`);
  });

  it('says that a circular import can be the cause of its failure', async () => {
    await functionOf('imports-itself.handler').invoke({});

    const [, message, place] = logOf().split('\n');
    const hint = 'A circular import can be the cause.';
    expect(message).toBe(`ReferenceError: Cannot access 'first' before initialization. ${hint}`);
    expect(place).toContain('stub-functions/imported-back.mjs:4:');
  });

  it('serves the next request after exiting its process', async () => {
    const local = functionOf('failures.exitOrRespond');

    const first = await local.invoke({ isFirst: true });
    const next = await local.invoke({});

    const errorMessage = 'Runtime exited without providing a reason';
    expect(first).toMatchObject({ error: { errorType: 'Runtime.ExitError', errorMessage } });
    expect(next).toEqual({ payload: { statusCode: 200 } });
  });

  it.each(['useMemoryAtOnce', 'killProcess'])(
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

    expect(logOf()).toBe(
      `its own words\nERROR stub\nRuntime.ExitError: ${endOfProcess}\nFATAL ERROR: It broke.\n`,
    );
  });

  it("logs JSON as Lambda's runtime does, from INFO on", async () => {
    await functionOf('index.log', {}, { hasReadableLog: false }).invoke({});

    const lines = logOf().trimEnd().split('\n');
    const errorMessage = 'It failed.';
    const stackTrace = expect.arrayContaining(['TypeError: It failed.']);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'INFO', message: '2 pets', timestamp: expect.any(String), requestId: expect.any(String) },
      { level: 'INFO', message: '{ count: 1n }' },
      { level: 'WARN', message: expect.stringMatching(/^It failed: RangeError: Too many\.\n/) },
      { level: 'ERROR', message: { errorType: 'TypeError', errorMessage, stackTrace, code: 'E_TYPE' } },
    ]);
  });

  it('works in the directory of its bundle', async () => {
    const outcome = await functionOf('index.tellDirectory').invoke({});

    expect(outcome).toEqual({ payload: stubFunction('stub').codeDirectory });
  });

  it('tells what its module awaits at a timeout', async () => {
    const writeFailure = vi.fn();
    const spec = { ...stubFunction('stub'), handler: 'awaits-forever.handler' };
    const log = { write: () => undefined, writeFailure };

    const outcome = await startEnvironment(spec, { log, initTimeoutMs: 2000 }).invoke({});

    const failure = { errorType: 'Sandbox.Timedout', errorMessage: 'Task timed out after 2.00 seconds' };
    expect(outcome).toMatchObject({ error: failure });
    const stackTrace = [expect.stringMatching(/stub-functions\/awaits-forever\.mjs:3:7$/)];
    expect(writeFailure).toHaveBeenCalledExactlyOnceWith({ ...failure, stackTrace });
  });

  it('has no limit of memory when it is debugged, in the process of the local API', async () => {
    const outcome = await functionOf('index.useMemory', { memoryMb: 128 }, { isDebugged: true }).invoke({});

    expect(outcome).toEqual({ payload: 4 });
  });

  it('ends before V8 ends the local API when it is debugged', async () => {
    const debugged = functionOf('index.useMemoryInSteps', {}, { isDebugged: true });

    const failed = await debugged.invoke({});
    const next = await debugged.invoke({ response: 'well' });

    const failure = {
      errorType: 'Runtime.OutOfMemory',
      errorMessage: expect.stringMatching(/ its \d+ MB of memory/),
    };
    expect(failed).toMatchObject({ error: failure });
    expect(logOf()).toMatch(/^ERROR functions\/.*index\.mjs\nRuntime\.OutOfMemory: .*\n$/);
    expect(next).toEqual({ payload: 'well' });
  });

  it('has no time limit when it is debugged', async () => {
    const debugged = functionOf('index.tellRemainingTime', { timeoutMs: 1 }, { isDebugged: true });

    const outcome = await debugged.invoke({});

    expect(outcome).toEqual({ payload: expect.toSatisfy((milliseconds) => milliseconds > 80_000_000) });
  });
});
