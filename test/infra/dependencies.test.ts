import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { npm } from '../support/local/npm.ts';

/** Returns a lock file's packages, except its project and what is within another package's archive. */
function installedBy(directory: string): [path: string, properties: Readonly<Record<string, unknown>>][] {
  const { packages } = JSON.parse(readFileSync(`${directory}/package-lock.json`, 'utf8'));
  return Object.entries<Readonly<Record<string, unknown>>>(packages).filter(
    ([path, { inBundle }]) => path !== '' && !inBundle,
  );
}

it.each(['.', 'test/daily/generators', 'test/daily/mutation', 'test/daily/runtimes'])(
  '%s/package-lock.json has every digest',
  (directory) => {
    const without = installedBy(directory).filter(
      ([, { integrity }]) => !`${integrity}`.startsWith('sha512-'),
    );

    expect(without).toStrictEqual([]);
  },
);

// npm does not run them: before you add a package here, check that it works without its script.
it('only packages that work without their install scripts have one', () => {
  const withScript = installedBy('.').filter(([, { hasInstallScript }]) => hasInstallScript);

  expect(withScript.map(([path]) => path)).toStrictEqual([
    'node_modules/classic-level',
    'node_modules/esbuild',
  ]);
});

it('npm runs no install scripts', async () => {
  const { stdout } = await npm(['config', 'get', 'ignore-scripts']);

  expect(stdout.trim()).toBe('true');
});
