import type { Stack } from '../aws/stack.ts';
import { command } from '../command.ts';
import type { Fact } from '../fact.ts';
import { type Finding, finding, step } from '../report.ts';

/**
 * A stack that is in none of these states is being changed, or accepts no change.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/view-stack-events.html
 */
const settled = /^(?:CREATE|(?:UPDATE|IMPORT)(?:_ROLLBACK)?)_COMPLETE(?:_CLEANUP_IN_PROGRESS)?$/;

interface Known {
  readonly stack: Stack;
  /** The ids of those in progress, if the stack is being updated. */
  readonly deployments: readonly string[];
}

/** Says what to do while the stack is being updated or accepts no update. */
export function findState(known: Known, cause: string): Finding | undefined {
  const { name, status } = known.stack;
  if (settled.test(status)) return undefined;
  if (status === 'UPDATE_IN_PROGRESS') {
    const stops = known.deployments.map(
      (id) => command`aws deploy stop-deployment --auto-rollback-enabled --deployment-id ${id}`,
    );
    const cancel = command`aws cloudformation cancel-update-stack --stack-name ${name}`;
    const text =
      stops.length > 0
        ? 'to go back to what it had before, stop its deployments: the stack then rolls back by itself'
        : 'to go back to what it had before, cancel it, because it has no deployment: the stack then rolls back by itself';
    return finding(
      'A release is in progress.',
      step('on-call', text, ...(stops.length > 0 ? stops : [cancel])),
    );
  }
  if (status === 'UPDATE_ROLLBACK_FAILED') {
    return finding(
      `The rollback failed, and the stack accepts no update. ${cause}`,
      step(
        'on-call',
        'remove that cause, and continue. With --resources-to-skip <logical ids>, an administrator corrects those by hand',
        command`aws cloudformation continue-update-rollback --stack-name ${name}`,
      ),
    );
  }
  const text = status.endsWith('_IN_PROGRESS') ? 'wait' : 'let an administrator repair the stack';
  return finding(`The stack is in ${status}.`, { text });
}

/** Says why the last operation failed. */
export const causeText = (failure: Fact<string | undefined>): string =>
  failure.isRead ? (failure.value ?? 'CloudFormation names no cause.') : 'The cause could not be read.';
