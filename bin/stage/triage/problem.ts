import type { Step } from '../report.ts';
import type { Context, Known } from './facts.ts';

/** What is wrong, and what helps. */
export interface Problem {
  readonly says: string;
  /** When it began: a release right before is to blame first. */
  readonly since?: Date | undefined;
  /** For how many minutes before: short if what happened is no change. */
  readonly within?: number;
  /** Whether only a change could be the cause. */
  readonly isUnexplained?: boolean;
  readonly next: readonly Step[];
}

/** Finds a problem. If it asks for a fact that was not read, it is unknown whether there is one. */
export type Cause = (known: Known, context: Context) => Problem | undefined;

/** What has not happened for this long does not happen any more. */
export const recentMinutes = 15;

export const tellClients: Step = { text: 'tell clients: docs/runbook.md#tell-clients' };

export const secondPerson: Step = {
  text: 'wake the second person, and look for what changed: docs/runbook.md#a-page',
};
