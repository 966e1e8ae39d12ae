import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/support/e2e/temporary-file.ts';
import { git, startRepository } from '../../cli/test/support/git.ts';

// In place of the words themselves, which a rename would list as a sentence.
const words = 'Pet Store'.toLowerCase();

/** Returns a directory with these files, of which Git tracks all but those that .gitignore names. */
function repository(files: Readonly<Record<string, string | Buffer>>, cwd = temporaryDirectory()): string {
  const all = { ...files, '.gitignore': 'node_modules\n.env\n*.csv\n' };
  for (const [name, content] of Object.entries(all)) writeFileSync(join(cwd, name), content);
  startRepository(cwd);
  return cwd;
}

const renameIn = (cwd: string, ...args: readonly string[]) =>
  spawnSync(process.execPath, [resolve('bin/rename/rename.ts'), ...args], {
    cwd,
    encoding: 'utf8',
    // The temporary directory may be in a repository.
    env: { ...process.env, GIT_CEILING_DIRECTORIES: dirname(cwd) },
  });

describe('npm run rename', () => {
  const bytes = Buffer.from('\xffPet Store', 'latin1');
  const directory = temporaryDirectory();
  let stdout: string;
  const read = (name: string) => readFileSync(join(directory, name), 'utf8');
  beforeAll(() => {
    const files = {
      'names.txt': 'PetStore petStore pet-store pet_store petstore PET_STORE_URL PETSTORE',
      'README.md': `A pet stored here\nis in a ${words}.\n`,
      'openapi.json': `Generated for a ${words}.`,
      'pet-store.png': bytes,
      LICENSE: 'The Pet Store maintainers',
      '.env': 'petstore_production_…',
      'pet-store-customers.csv': 'Pet Store',
    };
    repository(files, directory);
    // A new form contains an old one.
    ({ stdout } = renameIn(directory, 'Acme Pet Store'));
  });

  it('changes each spelling of the name', () => {
    expect(read('names.txt')).toBe(
      'AcmePetStore acmePetStore acme-pet-store acme_pet_store acmepetstore ACME_PET_STORE_URL ACMEPETSTORE',
    );
  });

  it('lists sentences that may read badly, unless they are generated', () => {
    const list = `Check these sentences:\n  README.md:2: is in a acme ${words}.\n`;
    expect(stdout).toContain(`${list}The service is named Acme Pet Store.`);
    expect(read('README.md')).toBe(`A pet stored here\nis in a acme ${words}.\n`);
  });

  it('leaves the bytes of a file that is not UTF-8', () => {
    expect(readFileSync(join(directory, 'acme-pet-store.png'))).toEqual(bytes);
  });

  it('leaves the copyright notice', () => {
    expect(read('LICENSE')).toBe('The Pet Store maintainers');
  });

  it('gives the new name to what a later merge brings', () => {
    const merged = repository({ 'names.txt': 'PetStore AcmePetStore' });
    renameIn(merged, 'Acme Pet Store', '--from', 'Pet Store');
    expect(readFileSync(join(merged, 'names.txt'), 'utf8')).toBe('AcmePetStore AcmePetStore');
  });

  it('leaves files that Git does not track', () => {
    expect([read('.env'), read('pet-store-customers.csv')]).toEqual(['petstore_production_…', 'Pet Store']);
  });
});

/** Makes a change that is not committed. */
function withChanges(): string {
  const directory = repository({ 'README.md': 'Pet Store' });
  writeFileSync(join(directory, 'README.md'), 'Our Pet Store');
  return directory;
}

/** Makes a directory whose files Git does not track. */
function withoutCommit(): string {
  const cwd = temporaryDirectory();
  writeFileSync(join(cwd, 'README.md'), 'Pet Store');
  git(cwd, 'init', '--quiet');
  return cwd;
}

/** Makes a service with a stage. */
function withStage(): string {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'infra/settings'), { recursive: true });
  const stages = 'export const stages = { acceptancetests: {} };';
  return repository({ 'README.md': 'Pet Store', 'infra/settings/stages.ts': stages }, directory);
}

it.each([
  [
    'CloudFormation would cut the names of a stage',
    withStage,
    'error: SnowMuseum has 10 letters, but at most 9 fit before "-acceptancetests"',
  ],
  ['there are changes that are not committed', withChanges, 'README.md has changes that are not committed.'],
  [
    'there is no commit',
    withoutCommit,
    "Run git init, git add --all and git commit. fatal: bad revision 'HEAD'",
  ],
  [
    'another file has the new name',
    () => repository({ 'README.md': 'Pet Store', 'pet-store.ts': '', 'snow-museum.ts': '' }),
    'There already is a file snow-museum.ts: choose another name.',
  ],
])('npm run rename changes nothing if %s', (_title, prepare, message) => {
  const directory = prepare();

  const { status, stderr } = renameIn(directory, 'Snow Museum');

  expect(stderr).toContain(message);
  expect(status).toBe(1);
  expect(readFileSync(join(directory, 'README.md'), 'utf8')).toMatch(/Pet Store$/);
});

it('npm run rename accepts only capitalized words', () => {
  const { status, stderr } = renameIn(temporaryDirectory(), 'snow-museum');

  expect(stderr).toContain('error: The name must be capitalized words.');
  expect(status).toBe(1);
});
