import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { forwardCall, respondAs, respondJson, startStubDynamodb } from '../functions/stub-dynamodb.ts';

/** What can go wrong with a DynamoDB call and is over in about a second. */
export const faultKinds = [
  'delay',
  'reset before it was applied',
  'reset after it was applied',
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'internal error',
  'garbage after it was applied',
  'silence',
] as const;

/** Each kind of fault affects one call in this many, so that a fifth of all calls fail. */
const cycle = 5 * faultKinds.length;

/** Starts a proxy for a DynamoDB. While `isFailing` is set, a fifth of calls fail, as the seed decides. */
export async function startFaultProxy(target: string, seed: number) {
  const faults = Array.from({ length: cycle }, (_, index) => faultKinds[index]);
  const shuffled = fc.shuffledSubarray(faults, { minLength: cycle });
  const schedule = fc.sample(shuffled, { seed, numRuns: 1000 }).flat().values();

  const stub = await startStubDynamodb(async (call, response) => {
    const kind = proxy.isFailing ? schedule.next().value : undefined;
    if (kind) proxy.injected[kind] = (proxy.injected[kind] ?? 0) + 1;
    const fail = (status: number, type: string) =>
      respondJson(response, status, { __type: `com.amazonaws.dynamodb.v20120810#${type}` });
    switch (kind) {
      case 'ProvisionedThroughputExceededException':
      case 'ThrottlingException':
        return fail(400, kind);
      case 'internal error':
        return fail(500, 'InternalServerError');
      case 'garbage after it was applied':
        await forwardCall(target, call);
        return response.end('<html>\u0000');
      case 'silence':
        return;
      case 'reset after it was applied':
        await forwardCall(target, call);
        return response.socket?.resetAndDestroy();
      case 'reset before it was applied':
        return response.socket?.resetAndDestroy();
      case 'delay':
        await pause(50);
    }
    return respondAs(target, call, response);
  });
  const injected: Record<string, number> = {};
  const proxy = { ...stub, isFailing: false, injected };
  return proxy;
}
