import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { StartFailure } from '../../../../infra/local/lambda/local-function.ts';
import { createReloader } from '../../../../infra/local/reload/reloader.ts';
import type { Bundles, Sources } from '../../../../infra/local/reload/sources.ts';
import type { Deployment } from '../../../../infra/local/template/deployment.ts';
import { stubDeployment } from '../../../support/infra/stub-deployment.ts';

const bundled: Deployment = { ...stubDeployment, apiId: 'bundled' };

/** The files that functions use. */
const ofFunctions = (file: string) => /^(functions|shared)\//.test(file);

const buildBundles = vi.fn<Sources['buildBundles']>();
const bundlesOf = (files: readonly string[]): Bundles =>
  new Map(files.filter(ofFunctions).map((file) => [file, { directory: '', builtAt }]));
const failBuild = (message: string) =>
  // biome-ignore lint/correctness/useYield: it fails before the first bundle.
  buildBundles.mockImplementationOnce(async function* () {
    throw new Error(message);
  });
const buildApp = vi.fn(async () => undefined);
const explain = vi.fn(async (error: unknown) => error);
const synthesize = vi.fn(async (_signal: AbortSignal) => stubDeployment);
const deploy = vi.fn(async (_deployment: Deployment): Promise<readonly StartFailure[]> => []);
const deployFunctions = vi.fn(async (_deployment: Deployment): Promise<readonly StartFailure[]> => []);
const lastInvoked = () => 'functions/b.ts';
const expectFunctions = vi.fn((_count: number) => undefined);
const checkTypes = vi.fn(async (_signal: AbortSignal) => '');
const logged = vi.spyOn(console, 'error');

/** A function that fails to start. */
const failedStart = (handler: string): StartFailure => ({
  handler,
  error: { errorType: 'RangeError', errorMessage: 'no\tpets', stackTrace: ['    at shared/a.ts:1:7'] },
});

let builtAt = 0;
const sources: Sources = {
  build: async () => undefined,
  buildBundles,
  buildApp,
  readersOf: (files) => ({
    app: files.filter((file) => file.startsWith('infra/') || file.startsWith('shared/tables/')),
    functions: files.filter(ofFunctions),
    any: new Set(files.filter((file) => !file.startsWith('docs/'))),
  }),
  exists: () => false,
  countBundles: (files) => files.filter(ofFunctions).length,
  serve: () => undefined,
  withBundles: (deployment, synthesizedAt) => (synthesizedAt < builtAt ? bundled : deployment),
  explain,
};

const options = {
  sources,
  synthesize,
  deploy,
  lastInvoked,
  expectFunctions,
  deployFunctions,
  checkTypes,
};

const now = performance.now.bind(performance);
/** Moves the clock that reloads are timed with. */
const passTime = (ms: number) => vi.spyOn(performance, 'now').mockImplementation(() => now() + ms);

/** Returns a running reloader: the CDK app reads `infra` and `shared/tables`, and functions use `shared`. */
async function startReloader() {
  builtAt = 0;
  const reloader = createReloader(options);
  await reloader.start();
  vi.clearAllMocks();
  return reloader;
}

const messages = () => logged.mock.calls.map(([message]) => message);
/** On a busy machine, any reload may be announced. */
const reports = () => messages().filter((message) => message !== 'Reloading…');
const logs = (...lines: readonly (string | RegExp)[]) =>
  vi.waitFor(
    () =>
      expect(lines.includes('Reloading…') ? messages() : reports()).toEqual(
        lines.map((line) => (typeof line === 'string' ? line : expect.stringMatching(line))),
      ),
    20_000,
  );

beforeEach(() => {
  vi.resetAllMocks();
  logged.mockReturnValue();
  explain.mockImplementation(async (error) => error);
  deploy.mockResolvedValue([]);
  deployFunctions.mockResolvedValue([]);
  buildBundles.mockImplementation(async function* (files) {
    builtAt = performance.now();
    yield bundlesOf(files);
  });
  synthesize.mockResolvedValue(stubDeployment);
  checkTypes.mockResolvedValue('');
});

describe('a reloader', () => {
  it('serves a burst of saves once', async () => {
    const { reload } = await startReloader();

    for (const file of ['shared/\u202ea.ts', 'functions/b.ts']) reload(file);

    await logs(/^Reloaded in [\d.]+ s: shared\/\\u202ea\.ts, functions\/b\.ts$/);
    expect(buildBundles).toHaveBeenCalledExactlyOnceWith(
      ['shared/\u202ea.ts', 'functions/b.ts'],
      'functions/b.ts',
    );
    expect(deployFunctions).toHaveBeenCalledExactlyOnceWith(bundled);
    expect(synthesize).not.toHaveBeenCalled();
  });

  it('expects the functions that a save changes from the save to their start', async () => {
    const { reload } = await startReloader();

    for (const file of ['shared/a.ts', 'functions/b.ts']) reload(file);

    expect(expectFunctions.mock.calls).toEqual([[1], [2]]);
    await vi.waitFor(() => expect(expectFunctions).toHaveBeenLastCalledWith(0), 20_000);
    expect(deployFunctions).toHaveBeenCalledOnce();
  });

  it('names only files that something reads, and prints nothing without any', async () => {
    const { reload } = await startReloader();

    reload('docs/4913');
    await vi.waitFor(() => expect(checkTypes).toHaveBeenCalled(), 20_000);
    expect(reports()).toEqual([]);
    for (const file of ['docs/sedA1b2C3', 'shared/a.ts']) reload(file);

    await logs(/^Reloaded in [\d.]+ s: shared\/a\.ts$/);
  });

  it('names six files of a checkout at most', async () => {
    const { reload } = await startReloader();

    for (let index = 1; index < 9; index += 1) reload(`shared/${index}.ts`);

    await logs(/^Reloaded in [\d.]+ s: shared\/1\.ts, .*shared\/6\.ts and 2 more$/);
  });

  it('serves functions before it synthesizes a stack that reads the same file', async () => {
    const { reload } = await startReloader();
    const { promise, resolve } = Promise.withResolvers<Deployment>();
    synthesize.mockReturnValueOnce(promise);

    reload('shared/tables/a.ts');

    await vi.waitFor(() => expect(synthesize).toHaveBeenCalled(), 20_000);
    expect(deployFunctions).toHaveBeenCalledExactlyOnceWith(bundled);
    expect(deploy).not.toHaveBeenCalled();
    resolve(stubDeployment);
    await logs(/^Reloaded in [\d.]+ s: shared\/tables\/a\.ts$/);
    expect(deploy).toHaveBeenCalledExactlyOnceWith(stubDeployment);
  });

  it('serves functions with the stack that is saved at the same time', async () => {
    const { reload } = await startReloader();

    for (const file of ['infra/a.ts', 'shared/tables/b.ts', 'functions/c.ts']) reload(file);

    await logs(/^Reloaded in [\d.]+ s: infra\/a\.ts, shared\/tables\/b\.ts, functions\/c\.ts$/);
    expect(deployFunctions).not.toHaveBeenCalled();
    expect(deploy).toHaveBeenCalledExactlyOnceWith(stubDeployment);
  });

  it('does not report functions that fail to start without a stack that is due', async () => {
    const { reload } = await startReloader();
    deployFunctions.mockResolvedValueOnce([failedStart('functions/c.ts')]);

    reload('shared/tables/a.ts');

    await logs(/^Reloaded in [\d.]+ s: shared\/tables\/a\.ts$/);
  });

  it('waits for a stack in progress with a function that fails to start without it', async () => {
    const { reload } = await startReloader();
    const { promise, resolve } = Promise.withResolvers<Deployment>();
    synthesize.mockReturnValueOnce(promise);
    reload('infra/a.ts');
    await vi.waitFor(() => expect(synthesize).toHaveBeenCalled(), 20_000);
    deployFunctions.mockResolvedValueOnce([failedStart('functions/b.ts')]);

    reload('functions/b.ts');
    await vi.waitFor(() => expect(deployFunctions).toHaveBeenCalled(), 20_000);
    resolve(stubDeployment);

    await logs(/^Reloaded in [\d.]+ s: infra\/a\.ts$/, /^Reloaded in [\d.]+ s: functions\/b\.ts$/);
  });

  it('reports once why functions fail to start', async () => {
    const { reload } = await startReloader();
    deployFunctions.mockResolvedValueOnce(['functions/c.ts', 'functions/b.ts'].map(failedStart));

    reload('shared/a.ts');

    await logs(
      "functions/b.ts, functions/c.ts can't start:\nRangeError: no\tpets\n    at shared/a.ts:1:7",
      'Not reloaded: functions/b.ts, functions/c.ts, after the save of shared/a.ts. The last good version keeps running.',
    );
  });

  it('keeps the last stack if a function fails to start with the new one', async () => {
    const { reload } = await startReloader();
    deploy.mockResolvedValueOnce([failedStart('functions/b.ts')]);

    reload('infra/a.ts');

    await logs(
      "functions/b.ts can't start:\nRangeError: no\tpets\n    at shared/a.ts:1:7",
      'Not reloaded: infra/a.ts. The last good stack keeps running.',
    );
    reload('functions/b.ts');
    await vi.waitFor(() => expect(deploy).toHaveBeenCalledTimes(2), 20_000);
  });

  it('keeps a bundle that was saved during a synthesis', async () => {
    const { reload } = await startReloader();
    const { promise, resolve } = Promise.withResolvers<Deployment>();
    synthesize.mockReturnValueOnce(promise);
    reload('infra/a.ts');
    await vi.waitFor(() => expect(synthesize).toHaveBeenCalled(), 20_000);

    reload('functions/b.ts');
    await vi.waitFor(() => expect(deployFunctions).toHaveBeenCalledOnce(), 20_000);
    resolve(stubDeployment);

    await vi.waitFor(() => expect(deploy).toHaveBeenCalledExactlyOnceWith(bundled), 20_000);
  });

  it('aborts a synthesis at a newer save, but not two in a row', async () => {
    const { reload } = await startReloader();
    const outcomes: PromiseWithResolvers<Deployment>[] = [];
    synthesize.mockImplementation((signal) => {
      const outcome = Promise.withResolvers<Deployment>();
      outcomes.push(outcome);
      signal.addEventListener('abort', () => outcome.reject(signal.reason));
      return outcome.promise;
    });
    for (const [index, file] of ['infra/a.ts', 'infra/b.ts'].entries()) {
      reload(file);
      await vi.waitFor(() => expect(synthesize).toHaveBeenCalledTimes(index + 1), 20_000);
    }

    reload('infra/c.ts');
    await vi.waitFor(() => expect(buildBundles).toHaveBeenCalledTimes(3), 20_000);
    outcomes[1]?.resolve(stubDeployment);
    await vi.waitFor(() => expect(synthesize).toHaveBeenCalledTimes(3), 20_000);
    outcomes[2]?.resolve(stubDeployment);

    await vi.waitFor(
      () =>
        expect(reports()).toEqual([
          expect.stringMatching(/^Reloaded in [\d.]+ s: infra\/[ab]\.ts, infra\/[ab]\.ts$/),
          expect.stringMatching(/^Reloaded in [\d.]+ s: infra\/c\.ts$/),
        ]),
      20_000,
    );
  });

  it('aborts each synthesis that newer saves wait for, when it takes far longer than usual', async () => {
    const { reload } = await startReloader();
    synthesize.mockImplementation(
      (signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    for (const [index, file] of ['infra/a.ts', 'infra/b.ts'].entries()) {
      reload(file);
      await vi.waitFor(() => expect(synthesize).toHaveBeenCalledTimes(index + 1), 20_000);
    }
    synthesize.mockResolvedValue(stubDeployment);

    reload('infra/c.ts');

    await logs(/^Reloaded in [\d.]+ s: (infra\/[abc]\.ts(, |$)){3}$/);
  });

  it('keeps the last version after a failure', async () => {
    const { reload } = await startReloader();
    failBuild('no\t\u001bfunctions\n    at a.ts');

    reload('shared/a.ts');

    await logs(
      'no\t\\u001bfunctions\n    at a.ts',
      'Not reloaded: shared/a.ts. The last good version keeps running.',
    );
    expect(deploy).not.toHaveBeenCalled();
  });

  it('says which function runs a new version when another has a mistake', async () => {
    const { reload } = await startReloader();
    buildBundles.mockImplementationOnce(async function* () {
      yield bundlesOf(['functions/b.ts']);
      throw new Error('no brace');
    });

    for (const file of ['shared/a.ts', 'functions/c.ts']) reload(file);

    await logs(
      'no brace',
      'Not reloaded: shared/a.ts, functions/c.ts. The last good version keeps running, except in functions/b.ts.',
    );
    expect(deployFunctions).toHaveBeenCalledOnce();
  });

  it('prints once that a function fails to start, although the others follow', async () => {
    const { reload } = await startReloader();
    buildBundles.mockImplementationOnce(async function* () {
      for (const handler of ['functions/b.ts', 'functions/c.ts']) yield bundlesOf([handler]);
    });
    deployFunctions.mockResolvedValue([failedStart('functions/b.ts')]);

    reload('shared/a.ts');

    await logs(
      "functions/b.ts can't start:\nRangeError: no\tpets\n    at shared/a.ts:1:7",
      'Not reloaded: functions/b.ts, after the save of shared/a.ts. The last good version keeps running.',
    );
    expect(deployFunctions).toHaveBeenCalledTimes(2);
  });

  it('applies what a failed build left to the stack, and counts from the repair', async () => {
    const { reload } = await startReloader();
    failBuild('no functions');
    for (const file of ['infra/a.ts', 'functions/b.ts']) reload(file);
    await vi.waitFor(() => expect(reports()).toHaveLength(2), 20_000);
    passTime(3_600_000);

    reload('functions/b.ts');

    await vi.waitFor(() => expect(reports()).toHaveLength(3), 20_000);
    expect(reports()[2]).toMatch(/^Reloaded in \d{1,2}\.\d s: infra\/a\.ts, functions\/b\.ts$/);
    expect(deploy).toHaveBeenLastCalledWith(stubDeployment);
  });

  it('counts from the last save of a file whose synthesis it aborts', async () => {
    const { reload } = await startReloader();
    synthesize.mockImplementationOnce(
      (signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    reload('infra/a.ts');
    await vi.waitFor(() => expect(synthesize).toHaveBeenCalledOnce(), 20_000);
    passTime(3_600_000);

    reload('infra/a.ts');

    await vi.waitFor(
      () => expect(reports().at(-1)).toMatch(/^Reloaded in \d{1,2}\.\d s: infra\/a\.ts$/),
      20_000,
    );
  });

  it('synthesizes a broken stack again at any save', async () => {
    const { reload } = await startReloader();
    synthesize.mockRejectedValueOnce(new Error('no alarms'));
    reload('infra/a.ts');
    await logs('no alarms', 'Not reloaded: infra/a.ts. The last good stack keeps running.');

    reload('functions/b.ts');

    await vi.waitFor(() => expect(deploy).toHaveBeenLastCalledWith(stubDeployment), 20_000);
  });

  it('tells which files of a broken stack are reloaded in functions', async () => {
    const { reload } = await startReloader();
    synthesize.mockRejectedValue(new Error('no alarms'));

    reload('shared/tables/a.ts');

    const end = 'The last good stack keeps running.';
    const partly = ['no alarms', `Reloaded only in functions: shared/tables/a.ts. ${end}`];
    await logs(...partly);
    for (const file of ['shared/tables/a.ts', 'infra/b.ts']) reload(file);
    const not = ['no alarms', `Not reloaded: shared/tables/a.ts, infra/b.ts. ${end}`];
    await logs(...partly, ...not);
    reload('functions/c.ts');
    await logs(...partly, ...not, 'no alarms', `Reloaded only in functions: functions/c.ts. ${end}`);
  });

  it('starts when broken sources are repaired', async () => {
    synthesize.mockRejectedValueOnce(new Error('no alarms'));
    const explained = { ...sources, explain: async () => new Error('in other words') };
    const { reload, start } = createReloader({ ...options, sources: explained });
    await start();
    await logs('in other words', 'Waiting for a change.');

    reload('functions/a.ts');

    await vi.waitFor(() => expect(deploy).toHaveBeenCalledExactlyOnceWith(stubDeployment), 20_000);
  });

  it('announces a reload that takes long', async () => {
    const { reload } = await startReloader();
    const { promise, resolve } = Promise.withResolvers<Deployment>();
    synthesize.mockReturnValueOnce(promise);

    reload('infra/a.ts');

    await logs('Reloading…');
    resolve(stubDeployment);
    await logs('Reloading…', /^Reloaded in [\d.]+ s: infra\/a\.ts$/);
  });

  it('prints the type errors after a reload', async () => {
    const { reload } = await startReloader();
    checkTypes.mockResolvedValueOnce('shared/a.ts(1,7): error TS2322');

    reload('shared/a.ts');

    await logs(
      /^Reloaded in /,
      '1 type error after the save of shared/a.ts:\nshared/a.ts(1,7): error TS2322',
    );
  });

  it('prints the type errors of a broken stack', async () => {
    const { reload } = await startReloader();
    synthesize.mockRejectedValueOnce(new Error('no alarms'));
    checkTypes.mockResolvedValueOnce('infra/a.ts(1,7): error TS2322');

    reload('infra/a.ts');

    await logs(
      'no alarms',
      'Not reloaded: infra/a.ts. The last good stack keeps running.',
      '1 type error after the save of infra/a.ts:\ninfra/a.ts(1,7): error TS2322',
    );
  });

  it('prints the type errors of a stack that is broken at the start', async () => {
    synthesize.mockRejectedValueOnce(new Error('no alarms'));
    checkTypes.mockResolvedValueOnce('infra/a.ts(1,7): error TS2322');

    await createReloader(options).start();

    await logs('no alarms', 'Waiting for a change.', '1 type error:\ninfra/a.ts(1,7): error TS2322');
  });

  it.each([
    ['the functions', () => failBuild('no brace')],
    ['the CDK app', () => buildApp.mockRejectedValueOnce(new Error('no brace'))],
  ])('checks no types while %s cannot be built', async (_title, fail) => {
    const { reload } = await startReloader();
    explain.mockResolvedValueOnce(new Error('no brace'));
    fail();

    reload('infra/a.ts');

    await vi.waitFor(() => expect(reports()).toHaveLength(2), 20_000);
    reload('infra/a.ts');
    await vi.waitFor(() => expect(checkTypes).toHaveBeenCalledOnce(), 20_000);
    expect(reports()).toEqual([
      'no brace',
      expect.stringMatching(/^Not reloaded: infra\/a\.ts\. /),
      expect.stringMatching(/^Reloaded in /),
    ]);
  });

  it('says when the type errors are gone, and of which saves', async () => {
    const { reload } = await startReloader();
    checkTypes.mockResolvedValueOnce('a.ts(1,7): error TS2322: x\n  error TS: y\nerror TS6053: z');
    reload('shared/a.ts');
    await vi.waitFor(() => expect(reports()).toHaveLength(2), 20_000);
    checkTypes.mockImplementationOnce((signal) => pause(60_000, 'outdated', { signal }));
    reload('shared/b.ts');
    await vi.waitFor(() => expect(checkTypes).toHaveBeenCalledTimes(2), 20_000);

    for (const file of ['shared/c.ts', 'shared/d.ts']) {
      const checks = checkTypes.mock.calls.length;
      reload(file);
      await vi.waitFor(() => expect(checkTypes).toHaveBeenCalledTimes(checks + 1), 20_000);
    }

    await vi.waitFor(() => expect(reports()).toHaveLength(6), 20_000);
    expect(reports().filter((message) => !message.startsWith('Reloaded'))).toEqual([
      '2 type errors after the save of shared/a.ts:\na.ts(1,7): error TS2322: x\n  error TS: y\nerror TS6053: z',
      'No type errors after the save of shared/b.ts, shared/c.ts.',
    ]);
  });

  it('cancels a check of the types at the next save', async () => {
    const { reload } = await startReloader();
    checkTypes.mockImplementationOnce((signal) => pause(60_000, 'outdated', { signal }));
    reload('shared/a.ts');
    await vi.waitFor(() => expect(checkTypes).toHaveBeenCalled(), 20_000);

    reload('shared/b.ts');

    await logs(/^Reloaded in .*a\.ts$/, /^Reloaded in .*b\.ts$/);
    await vi.waitFor(() => expect(checkTypes).toHaveBeenCalledTimes(2), 20_000);
    expect(checkTypes.mock.calls[0]?.[0].aborted).toBe(true);
  });

  it('asks for a restart when the server changes, escaping control characters', async () => {
    const { reload } = await startReloader();

    for (const file of ['bin/local.ts', 'infra/local/\u202etoys.ts', 'infra/service/bundle-options.ts']) {
      reload(file);
    }

    expect(messages()).toEqual([
      'Restart npm run dev to apply the change: bin/local.ts',
      'Restart npm run dev to apply the change: infra/local/\\u202etoys.ts',
      'Restart npm run dev to apply the change: infra/service/bundle-options.ts',
    ]);
    expect(buildBundles).not.toHaveBeenCalled();
  });
});
