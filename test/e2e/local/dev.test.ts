import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
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
    async (how, save) => {
      const name = `Saved ${how}`;
      project.edit(getPet, /json<.*/, `json<typeof getPet>(200, { ...pet, name: '${name}' }, {});`, save);

      await dev.expectSoon({ status: 200, body: { name } });
    },
  );

  it.each([
    [
      'handler fails to compile',
      getPet,
      'const id',
      'const mistake = ;\n  const id',
      /functions\/get-pet\.ts:12:18: ERROR: Unexpected ";"/,
    ],
    [
      'construct fails',
      'infra/monitoring/monitoring.ts',
      'super(scope, id);',
      "super(scope, id);\n    throw new Error('no alarms');",
      /Error: no alarms\n {4}at .*infra\/monitoring\/monitoring\.ts:\d+:\d+/,
    ],
  ] as const)(
    'reports where a %s until it is repaired, while the last good version runs',
    async (_title, file, from, to, error) => {
      const before = project.edit(file, from, to);

      await dev.printed('stderr', error);
      await dev.printed(
        'stderr',
        new RegExp(`^Not reloaded: .*${file}.*\\. The last good version keeps running\\.$`, 'm'),
      );
      await dev.expectSoon({ status: 200 });

      writeFileSync(project.path(file), before);
      await dev.printed('stderr', new RegExp(`\\nReloaded: ${file}\\n`));
    },
  );

  it('serves a changed construct', async () => {
    project.edit(
      'infra/service/gateway-responses.ts',
      "MISSING_AUTHENTICATION_TOKEN: 'not_found'",
      "MISSING_AUTHENTICATION_TOKEN: 'gone'",
    );

    await dev.expectSoon({ status: 410 }, '/toys');
    await dev.expectSoon({ status: 200 });
  });

  it.each([
    ['infra/reference/page.html', '<body>', '<body><!-- Edited -->'],
    ['CHANGELOG.md', '### For clients\n', '### For clients\n\n- Edited.\n'],
  ])('serves the reference of a changed %s', async (file, from, to) => {
    const before = (await dev.reference()).split('Edited').length;

    project.edit(file, from, to);

    const expectEdited = async () => expect((await dev.reference()).split('Edited')).toHaveLength(before + 1);
    await vi.waitFor(expectEdited, { timeout: 60_000, interval: 500 });
  });

  it('asks for a restart when the server changes, escaping control characters', async () => {
    writeFileSync(project.path('infra/local/\u202etoys.ts'), '');

    await dev.printed('stderr', /^Restart npm run dev to apply the change: infra\/local\/\\u202etoys\.ts$/m);
  });
});
