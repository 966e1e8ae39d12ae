import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { respondAs, respondJson, startStubDynamodb } from '../functions/stub-dynamodb.ts';
import { forwardCall } from '../setup/forward-call.ts';

/** What can go wrong with a call of DynamoDB and be over in about a second. */
export const faultKinds = [
  'delay',
  'reset before it was applied',
  'reset after it was applied',
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'internal error',
  'garbage',
  'silence',
] as const;
export type FaultKind = (typeof faultKinds)[number];

/** Says which fault the next call meets, if any. */
export type Schedule = () => FaultKind | undefined;

/** A schedule that a seed decides: of every `calls` calls, each of the faults befalls one. */
export function seededSchedule(seed: number, calls: number): Schedule {
  const faults = Array.from({ length: calls }, (_, call) => faultKinds[call]);
  const orders = fc.shuffledSubarray(faults, { minLength: calls });
  const fates = fc.sample(orders, { seed, numRuns: 1000 }).flat().values();
  return () => fates.next().value;
}

/** Starts a proxy in front of a DynamoDB, through which calls fail as a schedule says. */
export async function startFaultProxy(target: string, schedule: Schedule) {
  /** How many faults of each kind there were. */
  const injected = new Map<FaultKind, number>();
  const proxy = await startStubDynamodb(async (call, response) => {
    const kind = schedule();
    if (kind !== undefined) injected.set(kind, (injected.get(kind) ?? 0) + 1);
    const fail = (status: number, type: string) =>
      respondJson(response, status, { __type: `com.amazonaws.dynamodb.v20120810#${type}` });
    const reset = () => response.socket?.resetAndDestroy();
    switch (kind) {
      case 'reset before it was applied':
        return reset();
      case 'reset after it was applied':
        await forwardCall(target, call.headers, call.body);
        return reset();
      case 'ProvisionedThroughputExceededException':
      case 'ThrottlingException':
        return fail(400, kind);
      case 'internal error':
        return fail(500, 'InternalServerError');
      case 'garbage':
        return response.end('<html>\u0000');
      case 'silence':
        return;
      case 'delay':
        await pause(50);
        return respondAs(target, call, response);
      case undefined:
        return respondAs(target, call, response);
    }
  });
  return { ...proxy, injected };
}
