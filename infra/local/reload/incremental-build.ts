import { type BuildContext, type BuildOptions, context, type OutputFile } from 'esbuild';

/** What esbuild reads for every module, without listing it among the inputs of a build. */
export const configurationFiles: readonly string[] = ['package.json', 'tsconfig.json'];

export type IncrementalBuild = ReturnType<typeof incrementalBuild>;

/** Returns a build that esbuild can repeat quickly, and that knows which files it reads. */
export function incrementalBuild(options: BuildOptions) {
  let opened: Promise<BuildContext> | undefined;
  let inputs: ReadonlySet<string> | undefined;

  return {
    /** Returns whether a file is a part of the build. Any file may be, until a build succeeds. */
    reads: (file: string): boolean => configurationFiles.includes(file) || (inputs?.has(file) ?? true),

    /** @throws {BuildFailure} if the sources have mistakes */
    async rebuild(): Promise<readonly OutputFile[]> {
      inputs = undefined;
      opened ??= context({ ...options, metafile: true, write: false, logLevel: 'silent' });
      const { metafile, outputFiles = [] } = await (await opened).rebuild();
      inputs = new Set(Object.keys(metafile?.inputs ?? {}));
      return outputFiles;
    },

    async dispose(): Promise<void> {
      await (await opened)?.dispose();
    },
  };
}
