import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { npm } from '../../bin/cli/test/support/npm.ts';
import packageJson from '../../package.json' with { type: 'json' };

interface LockedPackage {
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly inBundle?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Returns a lock file's packages, except its project and what is within another package's archive. */
function installedBy(directory: string): [path: string, locked: LockedPackage][] {
  const { packages } = JSON.parse(readFileSync(`${directory}/package-lock.json`, 'utf8'));
  return Object.entries<LockedPackage>(packages).filter(([path, { inBundle }]) => path !== '' && !inBundle);
}

// Some daily checks have packages of their own.
describe.each(['.', ...globSync('{test/daily,bin/*/test}/*/package-lock.json').map(dirname)])(
  '%s/package-lock.json',
  (directory) => {
    it('has every digest', () => {
      const without = installedBy(directory).filter(
        ([, { integrity }]) => !`${integrity}`.startsWith('sha512-'),
      );

      expect(without).toStrictEqual([]);
    });

    // npm forgets those of other systems if it reads node_modules: https://github.com/npm/cli/issues/4828
    it('has every optional dependency', () => {
      const packages = installedBy(directory);
      const paths = new Set(packages.map(([path]) => path.replace(/^.*node_modules\//, '')));

      const optional = packages.flatMap(([, { optionalDependencies = {} }]) =>
        Object.keys(optionalDependencies),
      );
      expect(optional.filter((name) => !paths.has(name))).toEqual([]);
    });
  },
);

it('vitest --coverage has the package of its version', () => {
  const { devDependencies } = packageJson;

  expect(devDependencies['@vitest/coverage-v8']).toBe(devDependencies.vitest);
});

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
