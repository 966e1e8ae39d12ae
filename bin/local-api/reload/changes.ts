import type { Bundles, LiveProject } from '../project.ts';
import { configurationFiles } from './watch-sources.ts';

/** What a build has written, and what it has read. */
export interface SourceBuild {
  readonly bundles: Bundles;
  /** The CDK app in one module, without its packages. */
  readonly app: string;
  /** The files that each handler and the CDK app read, by its own file. */
  readonly inputs: ReadonlyMap<string, readonly string[]>;
}

type Readers = Pick<LiveProject, 'app' | 'readOnDemand'>;

/** Returns what reads a file of a project in any of some builds, if anything does. The stack may not be alone. */
export function readerOf(
  file: string,
  { app, readOnDemand }: Readers,
  builds: readonly SourceBuild[],
): 'stack' | 'functions' | 'requests' | undefined {
  const isHandlerAddedOrGone = new Set(builds.map(({ bundles }) => bundles.has(file))).size > 1;
  const readers = builds.flatMap((build) => readersOf([file], build));
  if (isHandlerAddedOrGone || readers.includes(app)) return 'stack';
  if (readers.length > 0) return 'functions';
  if (readOnDemand.test(file)) return 'requests';
  // A construct may read any file that is not a module.
  return configurationFiles.includes(file) || !file.endsWith('.ts') ? 'stack' : undefined;
}

/**
 * Returns those of some changes that are served only with a new stack: those that the stack reads, and those that were
 * saved together with one of them, or that a function reads together with one.
 *
 * @param batches - the changes, by what was saved together
 */
export function changesWithStack(
  batches: readonly (readonly string[])[],
  project: Readers,
  builds: readonly SourceBuild[],
): readonly string[] {
  const changes = batches.flat();
  const readers = new Set(builds.flatMap(({ inputs }) => [...inputs.keys()]));
  const readTogether = [...readers].map((reader) =>
    changes.filter((file) => builds.some((build) => readersOf([file], build).includes(reader))),
  );
  const withStack = new Set(changes.filter((file) => readerOf(file, project, builds) === 'stack'));
  for (;;) {
    const size = withStack.size;
    for (const files of [...batches, ...readTogether]) {
      if (files.some((file) => withStack.has(file))) for (const file of files) withStack.add(file);
    }
    if (withStack.size === size) return [...withStack];
  }
}

/** Returns what reads any of some files, by its own file. */
export const readersOf = (
  files: readonly string[],
  { inputs }: Pick<SourceBuild, 'inputs'>,
): readonly string[] =>
  [...inputs].filter(([, read]) => files.some((file) => read.includes(file))).map(([reader]) => reader);

/** Returns a build in which all that reads some changes is that of a newer one. */
export function withChanges(old: SourceBuild, changes: readonly string[], newer: SourceBuild): SourceBuild {
  const bundles = new Map(old.bundles);
  const inputs = new Map(old.inputs);
  for (const reader of [old, newer].flatMap((build) => readersOf(changes, build))) {
    copy(reader, newer.bundles, bundles);
    copy(reader, newer.inputs, inputs);
  }
  return { bundles, inputs, app: newer.app };
}

function copy<T>(key: string, from: ReadonlyMap<string, T>, to: Map<string, T>): void {
  const value = from.get(key);
  if (value === undefined) to.delete(key);
  else to.set(key, value);
}
