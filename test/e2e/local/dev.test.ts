import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { DevProcess } from '../../support/local/dev-process.ts';

const getPet = 'functions/get-pet.ts';

describe('npm run dev', { timeout: 120_000 }, () => {
  const dev = new DevProcess();
  const { project } = dev;
  beforeAll(() => dev.ready(), 120_000);
  afterAll(() => dev.remove());

  const saves = {
    'in place': writeFileSync,
    'by rename': (path: string, text: string) => {
      writeFileSync(`${path}~`, text);
      renameSync(`${path}~`, path);
    },
    'by unlink and create': (path: string, text: string) => {
      rmSync(path);
      writeFileSync(path, text);
    },
  };
  it.each(Object.entries(saves))(
    'serves a change saved %s, with the same tables, port and key',
    async (_how, save) => {
      for (const name of ['Max', 'Luna']) {
        project.edit(getPet, /json<.*/, `json<typeof getPet>(200, { ...pet, name: '${name}' }, {});`, save);

        await vi.waitFor(async () => expect(await dev.get()).toMatchObject({ status: 200, body: { name } }), {
          timeout: 60_000,
        });
      }
    },
  );

  it('reports where a handler fails to compile, and keeps the last version running', async () => {
    const before = project.edit(getPet, 'const id', 'const mistake = ;\n  const id');
    onTestFinished(() => writeFileSync(project.path(getPet), before));

    await dev.printed('stderr', /functions\/get-pet\.ts:12:18: ERROR: Unexpected ";"/);
    await dev.printed(
      'stderr',
      /^Not reloaded: functions\/get-pet\.ts\. The last good version keeps running\.$/m,
    );
    expect(await dev.get()).toMatchObject({ status: 200 });
  });

  it('reports where a construct fails, and keeps the last good version running', async () => {
    const monitoring = 'infra/monitoring/monitoring.ts';
    const failing = "super(scope, id);\n    throw new Error('no alarms');";
    const before = project.edit(monitoring, /super\(scope, id\);/, failing);
    onTestFinished(() => writeFileSync(project.path(monitoring), before));

    await dev.printed('stderr', /Error: no alarms\n {4}at .*infra\/monitoring\/monitoring\.ts:\d+:\d+/);
    await dev.printed(
      'stderr',
      /^Not reloaded: .*monitoring\.ts.*\. The last good version keeps running\.$/m,
    );
    expect(await dev.get()).toMatchObject({ status: 200 });
  });

  it('serves a changed construct', async () => {
    project.edit(
      'infra/service/gateway-responses.ts',
      "MISSING_AUTHENTICATION_TOKEN: 'not_found'",
      "MISSING_AUTHENTICATION_TOKEN: 'gone'",
    );

    await vi.waitFor(async () => expect(await dev.get('/toys')).toMatchObject({ status: 410 }), {
      timeout: 60_000,
    });
    expect(await dev.get()).toMatchObject({ status: 200 });
  });

  it('describes a changed operation', async () => {
    project.edit('shared/contract/operations.ts', "summary: 'Get a pet'", "summary: 'Fetch one pet'");

    await vi.waitFor(async () => expect(await dev.description()).toContain('"Fetch one pet"'), {
      timeout: 60_000,
    });
  });

  it('asks for a restart when the server changes, escaping control characters', async () => {
    writeFileSync(project.path('infra/local/\u202etoys.ts'), '');

    await dev.printed('stderr', /^Restart npm run dev to apply the change: infra\/local\/\\u202etoys\.ts$/m);
  });
});
