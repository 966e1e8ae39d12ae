import { commitOf } from '../cli/commit.ts';

/** Returns the version of a package: unless it is released, it comes before the next one, and has the commit. */
export function packageVersion(next: string, isRelease: boolean): string {
  if (isRelease) return next;
  const commit = commitOf('.') ?? 'unknown';
  // A number with a leading zero would not be a version.
  return `${next}-dev.g${commit.slice(0, 12)}${commit.endsWith('-dirty') ? '.dirty' : ''}`;
}
