import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { isEditorsFile, watchSources } from '../../../../infra/local/reload/watch-sources.ts';
import { temporaryDirectory } from '../../../support/e2e/temporary-file.ts';

it.each([
  ['vim', 'infra/service/.tables.ts.swp', true],
  ['vim', 'infra/service/tables.ts~', true],
  ['Emacs', 'infra/service/.#tables.ts', true],
  ['Emacs', 'infra/service/#tables.ts#', true],
  ['nobody', 'infra/service/tables.ts', false],
  ['nobody', 'infra/service/3.json', false],
])('%s keeps %s beside a source: %s', (_editor, file, expected) => {
  expect(isEditorsFile(file)).toBe(expected);
});

describe('watchSources', () => {
  const sources = ['package.json', 'tsconfig.json', 'cdk.json', 'functions/get-pet.ts'];
  const others = ['package-lock.json', 'bin.ts', 'cdk.out/cdk.json', 'node_modules/bin/index.js'];
  const directory = temporaryDirectory();
  const noticed = new Set<string>();
  let end: (() => Promise<void>) | undefined;
  const pathOf = (file: string) => join(directory, file);
  const write = (file: string) => writeFileSync(pathOf(file), `${performance.now()}`);
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: directory });
  const commit = () => {
    for (const file of sources) write(file);
    git('add', '--all');
    const author = ['-c', 'user.name=test', '-c', 'user.email=test@pets.example'];
    git(...author, 'commit', '--quiet', '--no-gpg-sign', '--no-verify', '--message', 'Change');
  };

  beforeAll(() => {
    for (const file of [...sources, ...others]) mkdirSync(dirname(pathOf(file)), { recursive: true });
    for (const folder of ['bin', 'infra', 'shared']) mkdirSync(pathOf(folder));
    for (const file of others) write(file);
    git('init', '--quiet');
    commit();
    git('checkout', '--quiet', '-b', 'other');
    commit();
  });
  beforeEach(async () => {
    end = await watchSources(directory, (file) => noticed.add(file));
  });
  afterEach(() => end?.());

  const saveInPlace = () => sources.forEach(write);
  const saveByRename = () => {
    for (const file of sources) {
      write('node_modules/saved');
      renameSync(pathOf('node_modules/saved'), pathOf(file));
    }
  };
  const remove = () => {
    for (const file of sources) rmSync(pathOf(file), { force: true });
  };
  const replace = () => {
    for (const file of sources) {
      rmSync(pathOf(file));
      write(file);
    }
  };
  const checkOut = () => git('checkout', '--quiet', '--force', '-');

  /** Repeats a save until every file is noticed: chokidar misses a save that soon follows another. */
  async function saveUntilNoticed(save: () => void): Promise<void> {
    noticed.clear();
    save();
    const isNoticed = () => {
      if (sources.every((file) => noticed.has(file))) return true;
      save();
      return false;
    };
    await vi.waitUntil(isNoticed, { interval: 250, timeout: 5000 });
  }

  it.each([
    ['in place', saveInPlace],
    ['by a rename', saveByRename],
    ['by a removal before a new file', replace],
    ['by git checkout', checkOut],
  ])('notices every save %s', async (_way, save) => {
    await saveUntilNoticed(save);
    await saveUntilNoticed(save);
    await saveUntilNoticed(saveInPlace);

    expect([...noticed].toSorted()).toEqual(sources.toSorted());
  });

  it('notices every save after a removal', async () => {
    await saveUntilNoticed(remove);
    await saveUntilNoticed(saveInPlace);
    await saveUntilNoticed(remove);
    await saveUntilNoticed(saveInPlace);
    await saveUntilNoticed(saveInPlace);

    expect([...noticed].toSorted()).toEqual(sources.toSorted());
  });

  it('ignores what is not a source', async () => {
    await saveUntilNoticed(() => [...others, ...sources].forEach(write));

    expect([...noticed].toSorted()).toEqual(sources.toSorted());
  });
});
