import type { BuildOptions } from 'esbuild';

/** What the local API needs to know of the project that it serves. */
export interface Project {
  /** Its absolute path, with a separator at its end and without links. */
  readonly root: string;
  /** The runtime that functions are declared for, such as `nodejs24.x`. They run on this process's own Node. */
  readonly runtime: string;
  /** The types of resources that play no part in a response. Others are served, named or refused. */
  readonly ignoredTypes: RegExp;
  /** The files to edit, in messages. */
  readonly hints: {
    /** Where functions are allowed to call tables. */
    readonly permissions: string;
    /** What the local API serves of a template. */
    readonly resourceTypes: string;
  };
  /** The body of the 404 to a request of another origin. */
  readonly foreignBody: string;
  /** Whether a source, relative to the root, is the file of a function's handler. */
  readonly isHandler: (file: string) => boolean;
  /**
   * Returns the readable text of what a function logs; undefined for Node's own text, and an empty one for a line that
   * says nothing new.
   */
  readonly describeLog: (message: unknown) => string | undefined;
}

/** The directories of bundles, by the file of their handler. */
export type Bundles = ReadonlyMap<string, string>;

/** What it needs of a project to serve its sources. Files are relative to the root, with slashes. */
export interface LiveProject extends Project {
  /** The folders with sources. */
  readonly folders: readonly string[];
  /** The main module of the CDK app, which `cdk.json` runs. */
  readonly app: string;
  /** The context with which the app synthesizes a stage; it need not build the bundles that there are. */
  readonly contextOf: (stage: string, bundles: Bundles) => Readonly<Record<string, unknown>>;
  /** Returns the handlers, each of which is bundled by itself. */
  readonly bundledFiles: () => readonly string[];
  readonly bundleOptions: BuildOptions;
  /** The modules of the local API itself. */
  readonly ofServer: RegExp;
  /** What is read whenever it is asked for, such as the sources of a reference. */
  readonly readOnDemand: RegExp;
}

/** A mistake in the sources of a project. The message is for their author, on several lines. */
export class SourceError extends Error {}
