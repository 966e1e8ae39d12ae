import type { Release } from '../aws/releases.ts';

/** Where the releases of a stage have led. */
export interface ReleasePath {
  /** The releases that led to the current one, which is the last. */
  readonly path: readonly Release[];
  /**
   * If the stack is again as it was before: what it had in between, and whether a later commit undid that. After A, B,
   * A, this is B.
   */
  readonly left: { readonly release: Release; readonly isReverted: boolean } | undefined;
}

/** Follows the releases, newest first: after A, B, A, neither B nor the first A has led anywhere. */
export function pathOf(releases: readonly Release[]): ReleasePath {
  const path: Release[] = [];
  let left: ReleasePath['left'];
  for (const release of releases.toReversed()) {
    const index = path.findIndex((other) => isSame(other, release));
    const [earlier, ...between] = index < 0 ? [] : path.splice(index);
    const last = between.at(-1) ?? (earlier && left?.release);
    left = last && { release: last, isReverted: earlier?.commit !== release.commit };
    path.push(release);
  }
  return { path, left };
}

/** Whether two releases are known to have deployed the same. */
const isSame = (a: Release, b: Release): boolean => a.content !== undefined && a.content === b.content;

/** Returns the commit in git, which may lack some of what was deployed. */
export const commitInGit = ({ commit }: Release): string => commit.replace(/-dirty$/, '');
