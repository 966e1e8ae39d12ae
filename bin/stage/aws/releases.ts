import { ParameterNotFound, paginateGetParameterHistory } from '@aws-sdk/client-ssm';
import { type KnownRelease, parseRecord } from '../../../infra/release/release-record.ts';
import { commitParameter } from '../../../infra/stack-names.ts';
import { all, type Clients } from './clients.ts';

/** What a stage has recorded of a release, and when: while a canary ran, or when one was rolled back. */
export interface Release extends KnownRelease {
  readonly at: Date;
  /** Counts the records of the stage. */
  readonly number: number;
}

/**
 * Reads the last 100 releases of a stage, newest first.
 * https://docs.aws.amazon.com/systems-manager/latest/userguide/sysman-paramstore-versions.html
 */
export async function readReleases({ ssm: client }: Clients, stage: string): Promise<readonly Release[]> {
  const history = paginateGetParameterHistory({ client }, { Name: commitParameter(stage) });
  const values = await all(history, ({ Parameters }) => Parameters).catch((error: unknown) => {
    // Before the first release.
    if (error instanceof ParameterNotFound) return [];
    throw error;
  });
  return values
    .map(({ Value, Version: number, LastModifiedDate: at }) => {
      if (Value === undefined || number === undefined || !at) throw new Error('A record is incomplete.');
      return { ...parseRecord(Value), number, at };
    })
    .toSorted((a, b) => b.number - a.number);
}

/** Shortens a commit for people, who must see whether git lacks some of it. */
export const shortCommit = ({ commit }: Pick<Release, 'commit'>): string =>
  commit.replace(/^([0-9a-f]{12})[0-9a-f]+/, '$1');

/** How the commit ends if git lacks some of what was deployed. */
export const dirty = '-dirty';

/** Returns the commit in git, which may lack some of what was deployed. */
export const commitInGit = ({ commit }: Pick<Release, 'commit'>): string =>
  commit.endsWith(dirty) ? commit.slice(0, -dirty.length) : commit;

/** Returns the releases that are known to have deployed the same as one of them. */
export const sameAs = ({ content, number }: Release, releases: readonly Release[]): readonly Release[] =>
  releases.filter((other) => content !== undefined && other.content === content && other.number !== number);
