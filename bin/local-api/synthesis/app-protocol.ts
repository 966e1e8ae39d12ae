import type { AppVariables } from './synthesize.ts';

// What the local API and the process that keeps the CDK say to each other.

/** What the process gets for each version of the app. */
export interface AppRun {
  /** The app in one module, without its packages. */
  readonly code: string;
  readonly variables: AppVariables;
}

/** What it sends when the app has done its work. After a failure, it ends. */
export interface AppDone {
  /** Its resident set size, in bytes. */
  readonly memory: number;
}
