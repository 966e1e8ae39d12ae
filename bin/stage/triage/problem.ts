import type { Step } from '../report.ts';
import type { Context, Known } from './facts.ts';

/** What is wrong, and what helps. */
export interface Problem {
  readonly says: string;
  /** When the first sign of it was seen. Releases and changes by hand right before that are named. */
  readonly firstSign?: Date | undefined;
  /** Whether a release may be the cause: the first step then leads back from one right before. */
  readonly mayFollowRelease?: boolean;
  readonly next: readonly Step[];
}

/** Finds a problem. If it asks for a fact that was not read, it is unknown whether there is one. */
export type Cause = (known: Known, context: Context) => Problem | undefined;

export const tellClients: Step = { text: 'tell clients: docs/runbook.md#tell-clients' };

export const secondPerson: Step = {
  text: 'wake the second person, and look for what changed: docs/runbook.md#a-page',
};
