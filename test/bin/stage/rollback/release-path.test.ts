import { describe, expect, it } from 'vitest';
import type { Release } from '../../../../bin/stage/aws/releases.ts';
import { pathOf } from '../../../../bin/stage/rollback/release-path.ts';

/** Returns releases, newest first, from texts such as `b2`, the commit b2 with the content b, oldest first. */
const history = (text: string): readonly Release[] =>
  text
    .split(' ')
    .map((commit) => ({ commit, content: commit.slice(0, 1), versions: {}, number: 1, at: new Date(0) }))
    .toReversed();

describe('the path of releases', () => {
  it.each<[releases: string, path: string, left: string | undefined, isReverted?: boolean]>([
    ['a1', 'a1', undefined],
    ['a1 b1 c1', 'a1 b1 c1', undefined],
    ['a1 b1 a1', 'a1', 'b1', false],
    ['a1 b1 a2', 'a2', 'b1', true],
    ['a1 b1 a1 a2', 'a2', 'b1', true],
    ['a1 a2', 'a2', undefined],
    ['a1 b1 a1 c1', 'a1 c1', undefined],
    ['a1 b1 a1 b1', 'a1 b1', undefined],
    ['a1 b1 b2 a2 c1 a2', 'a2', 'c1', false],
    ['a1 b1 c1 b1', 'a1 b1', 'c1', false],
  ])('%s is %s', (releases, expected, bad, isReverted) => {
    const { path, left } = pathOf(history(releases));

    expect(path.map(({ commit }) => commit).join(' ')).toBe(expected);
    expect(left?.release.commit).toBe(bad);
    expect(left?.isReverted).toBe(isReverted);
  });

  it('has two releases whose records are unreadable', () => {
    const release = { commit: 'unknown', versions: {}, number: 1, at: new Date(0) };

    expect(pathOf([release, { ...release }]).path).toHaveLength(2);
  });
});
