import type { BuildOptions } from 'esbuild';
import type { Project } from '../project.ts';

/** What the local API needs of a project to serve its sources. Files are relative to the root, with slashes. */
export interface LiveProject extends Project {
  /** The folders with sources. */
  readonly folders: readonly string[];
  /** The main module of the CDK app, which `cdk.json` runs. */
  readonly app: string;
  /** The packages that only the app imports, and that esbuild need not read. */
  readonly appPackages: readonly string[];
  /** The context with which the app synthesizes a stage. */
  readonly contextOf: (stage: string) => Readonly<Record<string, string>>;
  /** Returns the handlers, each of which is bundled by itself. */
  readonly bundledFiles: () => readonly string[];
  readonly bundleOptions: BuildOptions;
  /** The modules of the local API itself. */
  readonly ofServer: RegExp;
  /** What is read whenever it is asked for, such as the sources of a reference. */
  readonly readOnDemand: RegExp;
}
