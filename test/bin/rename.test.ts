import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { defaultStage } from '../../infra/settings/default-address.ts';
import { temporaryDirectory } from '../support/e2e/temporary-file.ts';
import { ProjectCopy } from '../support/local/project-copy.ts';

it('npm run rename names the service anew in every file', { timeout: 120_000 }, () => {
  const copy = new ProjectCopy();
  onTestFinished(() => copy.remove());
  track(copy.directory);
  const env = {
    PATH: process.env['PATH'],
    CDK_OUTDIR: 'cdk.out',
    CDK_CONTEXT_JSON: JSON.stringify({ 'book-shop:local': defaultStage }),
  };
  const run = (...args: string[]) =>
    execFileSync(process.execPath, args, { cwd: copy.directory, env, stdio: 'pipe' });

  const printed = run('bin/rename.ts', 'Book Shop').toString();

  // The pictures of the README show the name.
  expect(printed).toContain('Run npm run format and npm test, and commit.');
  const entries = readdirSync(copy.directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !/node_modules|\.git\b/.test(entry.parentPath));
  const texts = files.map(({ parentPath, name }) => name + readFileSync(`${parentPath}/${name}`, 'utf8'));
  expect(texts.filter((text) => /pet[ _-]?store(?![a-z])/i.test(text))).toEqual([]);
  // Every import still finds its file.
  run('bin/book-shop.ts');
  expect(readdirSync(copy.path('cdk.out'))).toContain(`BookShop-${defaultStage}.template.json`);
});

/** Makes Git track what is in a directory, but not what .gitignore names. */
function track(cwd: string): void {
  initialize(cwd);
  writeFileSync(join(cwd, '.gitignore'), 'node_modules\n.env\n');
  execFileSync('git', ['add', '--all'], { cwd });
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

  renameIn(directory, 'Book Shop');

  expect(readFileSync(file, 'utf8')).toBe(
    'BookShop bookShop book-shop book_shop bookshop BOOK_SHOP_URL BOOKSHOP a pet stored',
  );
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
  ['is no Git repository', () => {}, 'Run git init and git add --all. fatal: not a git repository'],
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
