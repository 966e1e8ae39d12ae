import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
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
