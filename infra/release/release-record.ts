import * as v from 'valibot';

/** In place of a commit, if git knew none. */
export const unknownCommit = 'unknown';

const Digest = v.pipe(v.string(), v.regex(/^[0-9a-f]{12}$/));

/** What a stage records of a release, by which somebody goes back to it. */
const ReleaseRecord = v.object({
  /** The whole id, with `-dirty` if git lacks some of what was deployed. */
  commit: v.pipe(v.string(), v.regex(new RegExp(`^(?:[0-9a-f]{7,64}(?:-dirty)?|${unknownCommit})$`))),
  /** Of the template without the code of functions: if two releases share it, aliases lead from one to the other. */
  template: Digest,
  /** Of the names and types of the tables' keys: if two releases share it, a deploy leads back and replaces no table. */
  tables: Digest,
  /** Of the template and the code: if two releases share it, they are the same, whatever their commits. */
  content: Digest,
  /** The version of each function, by its name in AWS. */
  versions: v.record(
    v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)),
    v.pipe(v.string(), v.regex(/^[1-9][0-9]*$/)),
  ),
});

type ReleaseRecord = v.InferOutput<typeof ReleaseRecord>;

/** What is known of a release: without digests, its record is unreadable. */
export type KnownRelease = Pick<ReleaseRecord, 'commit' | 'versions'> & Partial<ReleaseRecord>;

/** Returns a record as text, which begins with the commit. With names of 64 characters, 50 fit into a parameter. */
export function recordText({ commit, template, tables, content, versions }: ReleaseRecord): string {
  const ofFunctions = Object.entries(versions).map(([name, version]) => `${name}:${version}`);
  return [commit, template, tables, content, ...ofFunctions].join(' ');
}

/** Returns what a record says as text. Of an unreadable one, nothing is known. */
export function parseRecord(text: string): KnownRelease {
  const [commit, template, tables, content, ...versions] = text.split(' ');
  const record = {
    commit,
    template,
    tables,
    content,
    versions: Object.fromEntries(versions.map((version) => version.split(':'))),
  };
  const { success, output } = v.safeParse(ReleaseRecord, record);
  return success ? output : { commit: unknownCommit, versions: {} };
}
