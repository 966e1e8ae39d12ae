import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../support/e2e/temporary-file.ts';
import { ProjectCopy } from '../support/local/project-copy.ts';

it('npm run rename names the service anew in every file', { timeout: 120_000 }, () => {
  const copy = new ProjectCopy();
  onTestFinished(() => copy.remove());
  const env = { CDK_OUTDIR: 'cdk.out', CDK_CONTEXT_JSON: '{"book-shop:local":"staging"}' };
  const run = (...args: string[]) =>
    execFileSync(process.execPath, args, { cwd: copy.directory, env, stdio: 'pipe' });

  run('bin/rename.ts', 'Book Shop');

  const entries = readdirSync(copy.directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'));
  const texts = files.map(({ parentPath, name }) => name + readFileSync(`${parentPath}/${name}`, 'utf8'));
  expect(texts.filter((text) => /pet[ -]?store(?![a-z])/i.test(text))).toEqual([]);
  // Every import still finds its file.
  run('bin/book-shop.ts');
  expect(readdirSync(copy.path('cdk.out'))).toContain('BookShop-staging.template.json');
});

const renameIn = (cwd: string, name: string) =>
  spawnSync(process.execPath, [resolve('bin/rename.ts'), name], { cwd, encoding: 'utf8' });

it.each([
  ['a file that is not UTF-8', 'pet-store.png', Buffer.from('\xffPet Store', 'latin1'), 'book-shop.png'],
  ['the keys in .env.local', '.env.local', Buffer.from('API_KEY=petstore_production_…'), '.env.local'],
])('npm run rename leaves the bytes of %s', (_title, before, bytes, after) => {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, before), bytes);

  renameIn(directory, 'Book Shop');

  expect(readFileSync(join(directory, after))).toEqual(bytes);
});

it('npm run rename changes nothing if another file has the new name', () => {
  const directory = temporaryDirectory();
  const ours = join(directory, 'pet-store.ts');
  const theirs = join(directory, 'local.ts');
  writeFileSync(ours, 'Pet Store');
  writeFileSync(theirs, 'Pet Store, run locally');

  const { status, stderr } = renameIn(directory, 'Local');

  expect(stderr).toContain('error: There already is a file local.ts: choose another name.\n');
  expect(status).toBe(1);
  expect(readFileSync(ours, 'utf8')).toBe('Pet Store');
  expect(readFileSync(theirs, 'utf8')).toBe('Pet Store, run locally');
});
