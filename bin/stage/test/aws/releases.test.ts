import { describe, expect, it } from 'vitest';
import { releaseOf, servedShares, shareOf } from '../../aws/aliases.ts';
import { type Release, sameAs } from '../../aws/releases.ts';

const release = (number: number, content: string | undefined, versions: Record<string, string>): Release => ({
  commit: `aaaaaa${number}`,
  number,
  at: new Date(0),
  versions,
  ...(content !== undefined && { content }),
});
const releases = [
  release(3, 'one', { list: '1', create: '1' }),
  release(2, 'two', { list: '1', create: '2' }),
  release(1, 'one', { list: '1', create: '1' }),
];
const [third, second, first] = releases;

describe('a release', () => {
  it('deploys the same as another with its content', () => {
    expect(third && sameAs(third, releases)).toEqual([first]);
    expect(second && sameAs(second, releases)).toEqual([]);
  });

  it('is not known to deploy the same as another if its record is unreadable', () => {
    const unreadable = [release(2, undefined, {}), release(1, undefined, {})] as const;

    expect(sameAs(unreadable[0], unreadable)).toEqual([]);
  });

  it('brought the versions that none before it had', () => {
    expect(releaseOf({ functionName: 'list', version: '1' }, releases)).toBe(first);
    expect(releaseOf({ functionName: 'create', version: '2' }, releases)).toBe(second);
    expect(releaseOf({ functionName: 'create', version: '3' }, releases)).toBeUndefined();
  });

  it('gets the smallest to the largest share of what its versions get', () => {
    const aliases = [
      { functionName: 'list', version: '1', shares: {} },
      { functionName: 'create', version: '1', shares: { 2: 0.1 } },
    ];

    expect(second && shareOf(second, aliases)).toEqual([0.1, 1]);
    expect(first && shareOf(first, aliases)).toEqual([0.9, 1]);
  });
});

it('a version without a share of an alias gets no request', () => {
  const alias = { functionName: 'list', version: '1', shares: { 2: 0, 3: 0.25 } };

  expect([...servedShares(alias)]).toEqual([
    ['1', 0.75],
    ['3', 0.25],
  ]);
});
