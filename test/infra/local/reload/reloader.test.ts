import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createReloader } from '../../../../infra/local/reload/reloader.ts';
import type { Deployment } from '../../../../infra/local/template/deployment.ts';
import { stubDeployment } from '../../../support/infra/stub-deployment.ts';

const bundled: Deployment = { ...stubDeployment, apiId: 'bundled' };

const build = vi.fn(async () => undefined);
const synthesize = vi.fn(async (_signal: AbortSignal) => stubDeployment);
const deploy = vi.fn(async (_deployment: Deployment) => undefined);
const checkTypes = vi.fn(async (_signal: AbortSignal) => '');
const logged = vi.spyOn(console, 'error');

/** Returns a running reloader: the CDK app reads the files of `infra`, and functions use `shared`. */
async function startReloader() {
  const reloader = createReloader({
    sources: {
      build,
      areReadByApp: (files) => files.some((file) => file.startsWith('infra/')),
      withBundles: (deployment, synthesizedAt) => (synthesizedAt < builtAt ? bundled : deployment),
      explain: async (error) => error,
    },
    synthesize,
    deploy,
    checkTypes,
  });
  let builtAt = 0;
  build.mockImplementation(async () => {
    builtAt = performance.now();
  });
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
  synthesize.mockResolvedValue(stubDeployment);
  checkTypes.mockResolvedValue('');
});

describe('a reloader', () => {
  it('serves a burst of saves once', async () => {
    const { reload } = await startReloader();

    for (const file of ['shared/\u202ea.ts', 'functions/b.ts']) reload(file);

    await logs(/^Reloaded in [\d.]+ s: shared\/\\u202ea\.ts, functions\/b\.ts$/);
    expect(build).toHaveBeenCalledExactlyOnceWith(['shared/\u202ea.ts', 'functions/b.ts']);
    expect(deploy).toHaveBeenCalledExactlyOnceWith(bundled);
    expect(synthesize).not.toHaveBeenCalled();
  });

  it('names six files of a checkout at most', async () => {
    const { reload } = await startReloader();

    for (let index = 1; index < 9; index += 1) reload(`shared/${index}.ts`);

    await logs(/^Reloaded in [\d.]+ s: shared\/1\.ts, .*shared\/6\.ts and 2 more$/);
  });

  it('serves the bundles before it synthesizes a stack that reads the file', async () => {
    const { reload } = await startReloader();

    reload('infra/a.ts');

    await logs(/^Reloaded in [\d.]+ s: infra\/a\.ts$/);
    expect(deploy.mock.calls).toEqual([[bundled], [stubDeployment]]);
  });

  it('keeps a bundle that was saved during a synthesis', async () => {
    const { reload } = await startReloader();
    const { promise, resolve } = Promise.withResolvers<Deployment>();
    synthesize.mockReturnValueOnce(promise);
    reload('infra/a.ts');
    await vi.waitFor(() => expect(synthesize).toHaveBeenCalled(), 20_000);

    reload('functions/b.ts');
    await vi.waitFor(() => expect(deploy).toHaveBeenCalledTimes(2), 20_000);
    resolve(stubDeployment);

    await vi.waitFor(() => expect(deploy).toHaveBeenCalledTimes(3), 20_000);
    expect(deploy).toHaveBeenLastCalledWith(bundled);
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
    await vi.waitFor(() => expect(build).toHaveBeenCalledTimes(3), 20_000);
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

  it('keeps the last version after a failure', async () => {
    const { reload } = await startReloader();
    build.mockRejectedValueOnce(new Error('no\t\u001bfunctions\n    at a.ts'));

    reload('shared/a.ts');

    await logs(
      'no\t\\u001bfunctions\n    at a.ts',
      'Not reloaded: shared/a.ts. The last good version keeps running.',
    );
    expect(deploy).not.toHaveBeenCalled();
  });

  it('applies what a failed build left to the stack, and counts from the repair', async () => {
    const { reload } = await startReloader();
    build.mockRejectedValueOnce(new Error('no functions'));
    for (const file of ['infra/a.ts', 'functions/b.ts']) reload(file);
    await vi.waitFor(() => expect(reports()).toHaveLength(2), 20_000);
    await pause(3000);

    reload('functions/b.ts');

    await vi.waitFor(() => expect(reports()).toHaveLength(3), 20_000);
    expect(reports()[2]).toMatch(/^Reloaded in [012]\.\d s: infra\/a\.ts, functions\/b\.ts$/);
    expect(deploy).toHaveBeenLastCalledWith(stubDeployment);
  });

  it('counts from the last save of a file whose synthesis it aborts', async () => {
    const { reload } = await startReloader();
    synthesize.mockImplementationOnce(
      (signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    reload('infra/a.ts');
    await pause(3000);

    reload('infra/a.ts');

    await vi.waitFor(
      () => expect(reports().at(-1)).toMatch(/^Reloaded in [012]\.\d s: infra\/a\.ts$/),
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

  it('starts when broken sources are repaired', async () => {
    const { reload, start } = createReloader({
      sources: {
        build,
        areReadByApp: () => false,
        withBundles: (deployment) => deployment,
        explain: async () => new Error('in other words'),
      },
      synthesize: synthesize.mockRejectedValueOnce(new Error('no alarms')),
      deploy,
      checkTypes,
    });
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
    expect(build).not.toHaveBeenCalled();
  });
});
