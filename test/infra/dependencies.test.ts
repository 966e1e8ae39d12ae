import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const lockfile = readFileSync('package-lock.json', 'utf8');
const { packages }: { packages: Record<string, Record<string, unknown>> } = JSON.parse(lockfile);
/** All except this project and packages within another's archive, whose digest covers them. */
const installed = Object.entries(packages).filter(([path, { inBundle }]) => path !== '' && !inBundle);

describe('package-lock.json', () => {
  it('records the digest of every package', () => {
    const without = installed.filter(([, { integrity }]) => !`${integrity}`.startsWith('sha512-'));

    expect(without).toStrictEqual([]);
  });

  // npm does not run them: before you add a package here, check that it works without its script.
  it('has only install scripts that are not needed', () => {
    const withScript = installed.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path);

    expect(withScript).toStrictEqual(['node_modules/classic-level', 'node_modules/esbuild']);
  });
});

it('npm runs no install scripts', async () => {
  const options = { shell: process.platform === 'win32' };
  const { stdout } = await promisify(execFile)('npm', ['config', 'get', 'ignore-scripts'], options);

  expect(stdout.trim()).toBe('true');
});
