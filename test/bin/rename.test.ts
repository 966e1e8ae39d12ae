import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../support/e2e/temporary-file.ts';

/** Makes Git track what is in a directory, but not what .gitignore names. */
function track(cwd: string): void {
  initialize(cwd);
  writeFileSync(join(cwd, '.gitignore'), 'node_modules\n.env\n*.csv\n');
  execFileSync('git', ['add', '--all'], { cwd });
  const author = ['-c', 'user.name=rename', '-c', 'user.email=rename@pets.example'];
  execFileSync('git', [...author, 'commit', '--quiet', '--no-gpg-sign', '--message', 'Start'], { cwd });
}

function initialize(cwd: string): void {
  execFileSync('git', ['init', '--quiet'], { cwd });
}

const renameIn = (cwd: string, name: string) =>
  spawnSync(process.execPath, [resolve('bin/rename.ts'), name], {
    cwd,
    encoding: 'utf8',
    // The temporary directory may be in a repository.
    env: { ...process.env, GIT_CEILING_DIRECTORIES: dirname(cwd) },
  });

it('npm run rename changes each spelling of the name, and no other words', () => {
  const directory = temporaryDirectory();
  const file = join(directory, 'names.txt');
  writeFileSync(file, 'PetStore petStore pet-store pet_store petstore PET_STORE_URL PETSTORE a pet stored');
  track(directory);

  // A new form contains an old one.
  renameIn(directory, 'Acme Petstore');

  expect(readFileSync(file, 'utf8')).toBe(
    'AcmePetstore acmePetstore acme-petstore acme_petstore acmepetstore ACME_PETSTORE_URL ACMEPETSTORE a pet stored',
  );
});

it('npm run rename lists sentences that may read badly', () => {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'README.md'), 'A pet stored here\nis in a pet store.\n');
  track(directory);

  const { stdout } = renameIn(directory, 'Workshop Bookings');

  expect(stdout).toMatch(
    /^Correct these sentences:\n {2}README\.md:2: is in a workshop bookings\.\nThe service/,
  );
});

it('npm run rename changes nothing while there are changes that are not committed', () => {
  const directory = temporaryDirectory();
  const file = join(directory, 'README.md');
  writeFileSync(file, 'Pet Store');
  track(directory);
  writeFileSync(file, 'My Pet Store');

  const { status, stderr } = renameIn(directory, 'Book Shop');

  expect(stderr).toContain('error: README.md has changes that are not committed.');
  expect(status).toBe(1);
  expect(readFileSync(file, 'utf8')).toBe('My Pet Store');
});

it('npm run rename leaves the bytes of a file that is not UTF-8', () => {
  const directory = temporaryDirectory();
  const bytes = Buffer.from('\xffPet Store', 'latin1');
  writeFileSync(join(directory, 'pet-store.png'), bytes);
  track(directory);

  renameIn(directory, 'Book Shop');

  expect(readFileSync(join(directory, 'book-shop.png'))).toEqual(bytes);
});

it('npm run rename leaves files that Git does not track', () => {
  const directory = temporaryDirectory();
  const own = ['.env', 'pet-store-customers.csv'].map((name) => join(directory, name));
  writeFileSync(join(directory, 'README.md'), 'Pet Store');
  track(directory);
  for (const path of own) writeFileSync(path, 'petstore_production_…');

  renameIn(directory, 'Book Shop');

  expect(readFileSync(join(directory, 'README.md'), 'utf8')).toBe('Book Shop');
  expect(own.map((path) => readFileSync(path, 'utf8'))).toEqual(own.map(() => 'petstore_production_…'));
});

it.each([
  [
    'is no Git repository',
    () => {},
    'Run git init, git add --all and git commit. fatal: not a git repository',
  ],
  ['has no tracked file', initialize, 'Git tracks no file here, and only such files are renamed.'],
])('npm run rename changes nothing in a directory that %s', (_title, prepare, message) => {
  const directory = temporaryDirectory();
  prepare(directory);
  writeFileSync(join(directory, 'README.md'), 'Pet Store');

  const { status, stderr } = renameIn(directory, 'Book Shop');

  expect(stderr).toContain(message);
  expect(status).toBe(1);
  expect(readFileSync(join(directory, 'README.md'), 'utf8')).toBe('Pet Store');
});

it('npm run rename changes nothing if another file has the new name', () => {
  const directory = temporaryDirectory();
  const ours = join(directory, 'pet-store.ts');
  const theirs = join(directory, 'local.ts');
  writeFileSync(ours, 'Pet Store');
  writeFileSync(theirs, 'Pet Store, run locally');
  track(directory);

  const { status, stderr } = renameIn(directory, 'Local');

  expect(stderr).toContain('error: There already is a file local.ts: choose another name.\n');
  expect(status).toBe(1);
  expect(readFileSync(ours, 'utf8')).toBe('Pet Store');
  expect(readFileSync(theirs, 'utf8')).toBe('Pet Store, run locally');
});
