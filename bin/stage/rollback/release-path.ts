import { unknownCommit } from '../../../infra/release/release-record.ts';
import type { Release } from '../aws/releases.ts';

/** Where the releases of a stage have led. */
export interface ReleasePath {
  /** What the stack has. */
  readonly current: Release | undefined;
  /** What it had before. */
  readonly before: Release | undefined;
  /** If the stack has again what it had before: what it had in between, and whether a later commit undid that. */
  readonly left: { readonly release: Release; readonly isReverted: boolean } | undefined;
}

/** Follows the releases, newest first: after A, B, A, neither B nor the first A is before what follows. */
export function pathOf(releases: readonly Release[]): ReleasePath {
  const path: Release[] = [];
  for (const release of releases.toReversed()) {
    const earlier = path.findIndex((other) => isSame(other, release));
    if (earlier >= 0) path.splice(earlier);
    path.push(release);
  }
  const [current] = releases;
  return { current, before: path.at(-2), left: current && leftBy(current, releases) };
}

function leftBy(current: Release, releases: readonly Release[]): ReleasePath['left'] {
  const first = releases.findLastIndex((release) => isSame(release, current));
  const last = releases.findIndex((release) => !isSame(release, current));
  const release = releases[last];
  if (!release || last > first) return undefined;
  return { release, isReverted: releases.slice(last).every(({ commit }) => commit !== current.commit) };
}

/** Returns the release before one of these, newest first. */
export const releaseBefore = (releases: readonly Release[], release: Release): Release | undefined =>
  pathOf(releases.slice(releases.indexOf(release))).before;

/** Whether two releases deployed the same. Without digests, only a whole commit says so. */
function isSame(a: Release, b: Release): boolean {
  if (a === b) return true;
  if (a.content !== undefined && b.content !== undefined) return a.content === b.content;
  return a.commit === b.commit && a.commit !== unknownCommit && !a.commit.endsWith('-dirty');
}

/** Shortens a commit for people, who must see whether it lacks something. */
export const shortCommit = ({ commit }: Release): string => commit.replace(/^([0-9a-f]{12})[0-9a-f]+/, '$1');
