import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import {
  forwardCall,
  respondAs,
  respondJson,
  type StubCall,
  startStubDynamodb,
} from '../functions/stub-dynamodb.ts';

/** What can go wrong with a DynamoDB call and is over in about a second. */
const faultsOf = (target: string) => {
  const fail = (status: number, type: string) => (_call: StubCall, response: ServerResponse) =>
    respondJson(response, status, { __type: `com.amazonaws.dynamodb.v20120810#${type}` });
  return {
    ProvisionedThroughputExceededException: fail(400, 'ProvisionedThroughputExceededException'),
    ThrottlingException: fail(400, 'ThrottlingException'),
    'internal error': fail(500, 'InternalServerError'),
    silence: () => undefined,
    'reset before it was applied': (_call, response) => response.socket?.resetAndDestroy(),
    'reset after it was applied': async (call, response) => {
      await forwardCall(target, call);
      response.socket?.resetAndDestroy();
    },
    'garbage after it was applied': async (call, response) => {
      await forwardCall(target, call);
      response.end('<html>\u0000');
    },
    delay: async (call, response) => {
      await pause(50);
      await respondAs(target, call, response);
    },
  } satisfies Record<string, Parameters<typeof startStubDynamodb>[0]>;
};

/** Starts a proxy for a DynamoDB. While `isFailing` is set, a fifth of calls fail, as the seed decides. */
export async function startFaultProxy(target: string, seed: number) {
  const faults = Object.entries(faultsOf(target));
  const cycle = Array.from({ length: 5 * faults.length }, (_, index) => faults[index]);
  const shuffled = fc.shuffledSubarray(cycle, { minLength: cycle.length });
  const schedule = fc.sample(shuffled, { seed, numRuns: 1000 }).flat().values();

  const injected = Object.fromEntries(faults.map(([kind]) => [kind, 0]));
  const stub = await startStubDynamodb((call, response) => {
    const [kind = '', inject] = (proxy.isFailing && schedule.next().value) || [];
    if (!inject) return respondAs(target, call, response);
    injected[kind] = (injected[kind] ?? 0) + 1;
    return inject(call, response);
  });
  const proxy = { ...stub, isFailing: false, injected };
  return proxy;
}
