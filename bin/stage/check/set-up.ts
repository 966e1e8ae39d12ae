import type { Caller } from '../aws/caller.ts';
import type { RequestGroup } from '../aws/requests.ts';
import type { Stack } from '../aws/stack.ts';
import type { Fact } from '../fact.ts';
import type { Reading } from '../read-stage.ts';
import type { Step } from '../report.ts';

/** What is known of the set-up. A stack that does not exist is undefined. */
interface Known {
  readonly caller: Caller;
  /** The names of the profiles on this machine. */
  readonly profiles: readonly string[];
  /** How many functions may run in the account at once. */
  readonly concurrency: number;
  readonly access: Stack | undefined;
  readonly bootstrap: Stack | undefined;
  readonly stack: Stack | undefined;
  /** Why the last operation of the stack failed, if it did. */
  readonly failure: string | undefined;
  /** How many have confirmed for page and ticket. */
  readonly confirmed: readonly number[];
  /** The requests of a week. */
  readonly requests: readonly RequestGroup[];
}
export type SetUpFacts = { readonly [Name in keyof Known]: Fact<Known[Name]> };

/** How far a step of the set-up is. */
export interface State {
  /** Undefined if no call shows it: then the text is a question. */
  readonly isDone: boolean | undefined;
  readonly text: string;
  readonly next?: readonly Step[];
}

/** Says how far a step is. */
export type Check = (known: Known, reading: Reading) => State;

export const isComplete = (status: string) =>
  /_COMPLETE(_CLEANUP_IN_PROGRESS)?$/.test(status) && status !== 'ROLLBACK_COMPLETE';

export const edit = (text: string): readonly Step[] => [
  { text: `${text} in the stage's record in infra/settings/stages.ts, and commit` },
];
