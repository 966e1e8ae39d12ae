import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Debugger } from '../../support/local/debugger.ts';
import { DevProcess } from '../../support/local/dev-process.ts';

describe('npm run dev -- --inspect', { timeout: 120_000 }, () => {
  const dev = new DevProcess(['--inspect', '0']);
  beforeAll(() => dev.ready(), 120_000);
  afterAll(() => dev.remove());

  it('pauses at a breakpoint of a source after each of ten edits', async () => {
    const [, url = ''] = await dev.printed('stderr', /Debugger listening on (\S+)/);
    const attached = await Debugger.attach(url, { urlRegex: 'functions/get-pet\\.ts$', lineNumber: 11 });

    for (let edit = 0; edit < 10; edit += 1) {
      const name = `Edit ${edit}`;
      dev.project.edit(
        'functions/get-pet.ts',
        /json<.*/,
        `json<typeof getPet>(200, { ...pet, name: '${name}' }, {});`,
      );
      const before = attached.pauses;
      await vi.waitFor(async () => expect(await dev.get()).toMatchObject({ body: { name } }), {
        timeout: 20_000,
      });
      expect(attached.pauses).toBeGreaterThan(before);
    }
    attached.close();
  });
});
