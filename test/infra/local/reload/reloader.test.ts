import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { reloader } from '../../../../infra/local/reload/reloader.ts';
import { stubDeployment } from '../../../support/infra/stub-deployment.ts';

const synthesize = vi.fn(async (_signal: AbortSignal) => stubDeployment);
const deploy = vi.fn(async () => undefined);
const logged = vi.spyOn(console, 'error');
const reload = reloader({ synthesize, deploy });

beforeEach(() => {
  vi.clearAllMocks();
  logged.mockReturnValue();
});

describe('a reloader', () => {
  it('serves a burst of saves once', async () => {
    await Promise.all(['shared/\u202ea.ts', 'functions/b.ts'].map(reload));

    expect(synthesize).toHaveBeenCalledOnce();
    expect(deploy).toHaveBeenCalledExactlyOnceWith(stubDeployment);
    const line = /^Reloaded in [\d.]+ s: shared\/\\u202ea\.ts, functions\/b\.ts$/;
    expect(logged.mock.calls).toEqual([[expect.stringMatching(line)]]);
  });

  it('aborts a synthesis at a newer save', async () => {
    synthesize.mockImplementationOnce((signal) => pause(60_000, stubDeployment, { signal }));
    const older = reload('shared/a.ts');
    await vi.waitFor(() => expect(synthesize).toHaveBeenCalled(), 20_000);

    await Promise.all([older, reload('shared/b.ts')]);

    expect(deploy).toHaveBeenCalledOnce();
    const line = /^Reloaded in [\d.]+ s: shared\/a\.ts, shared\/b\.ts$/;
    expect(logged.mock.calls).toEqual([[expect.stringMatching(line)]]);
  });

  it('keeps the last version after a failure', async () => {
    synthesize.mockRejectedValueOnce(new Error('no \u001balarms'));

    await reload('infra/a.ts');

    expect(deploy).not.toHaveBeenCalled();
    expect(logged.mock.calls).toEqual([
      ['no \\u001balarms'],
      ['Not reloaded: infra/a.ts. The last good version keeps running.'],
    ]);
  });

  it('asks for a restart when the server changes, escaping control characters', async () => {
    await Promise.all(['bin/local.ts', 'infra/local/\u202etoys.ts'].map(reload));

    expect(synthesize).not.toHaveBeenCalled();
    expect(logged.mock.calls).toEqual([
      ['Restart npm run dev to apply the change: bin/local.ts'],
      ['Restart npm run dev to apply the change: infra/local/\\u202etoys.ts'],
    ]);
  });
});
