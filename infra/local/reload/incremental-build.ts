import { type BuildContext, type BuildOptions, context, type OutputFile } from 'esbuild';
import { circularImport } from './circular-import.ts';

/** What esbuild reads for every module, without listing it among the inputs of a build. */
export const configurationFiles: readonly string[] = ['package.json', 'tsconfig.json'];

export type IncrementalBuild = ReturnType<typeof incrementalBuild>;

/** Returns a build that esbuild can repeat quickly, and that knows which files it reads. */
export function incrementalBuild(options: BuildOptions) {
  let opened: Promise<BuildContext> | undefined;
  let inputs: ReadonlySet<string> | undefined;
  let circle: readonly string[] | undefined;

  return {
    /** Returns whether a file is a part of the build. Any file may be, until a build succeeds. */
    reads: (file: string): boolean => configurationFiles.includes(file) || (inputs?.has(file) ?? true),

    /** @throws {BuildFailure} if the sources have mistakes */
    async rebuild(): Promise<readonly OutputFile[]> {
      inputs = undefined;
      opened ??= context({ ...options, metafile: true, write: false, logLevel: 'silent' });
      const { metafile, outputFiles = [] } = await (await opened).rebuild();
      inputs = new Set(Object.keys(metafile?.inputs ?? {}));
      circle = metafile && circularImport(metafile);
      return outputFiles;
    },

    /** Returns the files of a circular import that the last build has, if any. */
    circularImport: () => circle,

    async dispose(): Promise<void> {
      await (await opened)?.dispose();
    },
  };
}
