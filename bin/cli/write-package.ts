import { execFileSync } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commitOf } from './commit.ts';

interface Package {
  readonly manifest: Readonly<Record<string, unknown>> & { readonly version: string };
  readonly readme: string;
  /** The directory for the tarball. */
  readonly output: string;
}

/** Completes a directory as an npm package, and packs it. */
export function writePackage(directory: string, { manifest, readme, output }: Package): void {
  const { npm_execpath: npm } = process.env;
  if (npm === undefined) throw new Error('Run this command with npm run.');
  // The packages that it names have the version, too.
  const versioned = readme.replaceAll(
    /(-(?:client|sandbox)-)\d+\.\d+\.\d+(?=\.tgz)/g,
    `$1${manifest.version}`,
  );
  writeFileSync(join(directory, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(directory, 'README.md'), versioned);
  copyFileSync('LICENSE', join(directory, 'LICENSE'));
  // Windows cannot start npm's commands without a shell.
  const args = [npm, 'pack', '--silent', directory, '--pack-destination', output];
  execFileSync(process.execPath, args, { stdio: 'inherit' });
}

/** Returns the version of a package: unless it is released, it comes before the next one, and has the commit. */
export function packageVersion(next: string, isRelease: boolean): string {
  if (isRelease) return next;
  const commit = commitOf('.') ?? 'unknown';
  // A number with a leading zero would not be a version.
  return `${next}-dev.g${commit.slice(0, 12)}${commit.endsWith('-dirty') ? '.dirty' : ''}`;
}
