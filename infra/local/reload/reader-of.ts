import type { SourceBuild } from './build-sources.ts';
import type { LiveProject } from './live-project.ts';
import { configurationFiles } from './watch-sources.ts';

/** Returns what reads a file of a project in any of some builds, if anything does. The stack may not be alone. */
export function readerOf(
  file: string,
  project: Pick<LiveProject, 'readOnDemand'>,
  builds: readonly SourceBuild[],
): 'stack' | 'functions' | 'requests' | undefined {
  const isHandlerAddedOrGone = new Set(builds.map(({ bundles }) => bundles.has(file))).size > 1;
  if (isHandlerAddedOrGone || builds.some(({ filesOfApp }) => filesOfApp.has(file))) return 'stack';
  if (builds.some(({ filesOfFunctions }) => filesOfFunctions.has(file))) return 'functions';
  if (project.readOnDemand.test(file)) return 'requests';
  // A construct may read any file that is not a module.
  return configurationFiles.includes(file) || !file.endsWith('.ts') ? 'stack' : undefined;
}
