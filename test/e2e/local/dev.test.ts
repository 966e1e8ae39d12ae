import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorTable } from '../../../shared/contract/errors/error-table.ts';
import { CommandProcess } from '../../support/local/command-process.ts';
import { setBreakpoint } from '../../support/local/debugger.ts';

describe('npm run dev -- --inspect', { timeout: 120_000 }, () => {
  // A copy, for the sources are edited.
  const project = mkdtempSync(join(tmpdir(), 'pet-store-project-'));
  for (const name of ['bin', 'functions', 'infra', 'shared', 'package.json']) {
    cpSync(name, join(project, name), { recursive: true });
  }
  symlinkSync(resolve('node_modules'), join(project, 'node_modules'));
  const getPet = join(project, 'functions/get-pet.ts');
  const source = readFileSync(getPet, 'utf8');

  const flags = ['--watch', '--inspect', '0', '--port', '0', '--pets', '1'];
  const local = new CommandProcess('bin/local.ts', flags, { project });
  let pet: string;
  let authorization: string;

  const get = async (url: string) => {
    const response = await fetch(url, { headers: { Authorization: authorization } });
    return { status: response.status, body: await response.json() };
  };
  const notFound = (message: string) => ({ status: 404, body: { code: 'not_found', message, status: 404 } });

  beforeAll(async () => {
    const [, baseUrl, apiKey, petId] = await local.printed(
      'stdout',
      /BASE_URL=(\S+)\s+export API_KEY=(\S+)\s.*\/pets\/(\d+)"/s,
    );
    pet = `${baseUrl}/pets/${petId}`;
    authorization = `Bearer ${apiKey}`;
  }, 120_000);
  afterAll(async () => {
    await local.exit('SIGKILL');
    rmSync(project, { recursive: true });
  });

  it('tells of a change that does not compile where it is wrong, and leaves the last version up', async () => {
    writeFileSync(getPet, `${source}const mistake = ;\n`);

    await local.printed('stderr', /functions\/get-pet\.ts:\d+:\d+/);
    await local.printed('stderr', /^Not reloaded: functions\/get-pet\.ts\./m);

    expect(await get(`${pet}0`)).toEqual(notFound(errorTable.not_found.message));
  });

  it('serves a change to the sources at the same port, with the same tables and the same key', async () => {
    const file = join(project, 'shared/contract/errors/error-table.ts');
    const before = readFileSync(file, 'utf8');
    writeFileSync(getPet, source);
    writeFileSync(file, before.replace(errorTable.not_found.message, 'There is no such pet.'));

    await local.printed('stderr', /^Reloaded in \S+ s: shared\/contract\/errors\/error-table\.ts$/m);

    expect(await get(`${pet}0`)).toEqual(notFound('There is no such pet.'));
    expect(await get(pet)).toMatchObject({ status: 200 });
  });

  it('stops at a breakpoint in functions/get-pet.ts, and ends at once all the same', async () => {
    const breakpoint = source.split('\n').findIndex((line) => line.includes('await readPet('));
    // That of the version with the change.
    const [, inspectorUrl = ''] = await local.printed('stderr', /error-table\.ts\n.*(ws:\S+)\n/s);
    const stopped = await setBreakpoint(inspectorUrl, pathToFileURL(getPet).href, breakpoint);

    const first = stopped();
    const response = get(pet);
    const resume = await first;
    const second = stopped();
    resume();
    expect(await response).toMatchObject({ status: 200 });

    const cut = get(pet).catch(() => 'cut');
    await second;
    const { exitCode } = await local.exit('SIGINT');
    expect(await cut).toBe('cut');
    expect(exitCode).toBe(0);
  });
});
