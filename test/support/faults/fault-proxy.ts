import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { close, listen } from '../../../infra/local/http/listen.ts';
import { forwardCall } from '../setup/forward-call.ts';

/** What can go wrong with a call of DynamoDB and be over in about a second. */
export const faultKinds = [
  'delay',
  'connection refused',
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

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const kind = schedule();
    if (kind !== undefined) injected.set(kind, (injected.get(kind) ?? 0) + 1);
    const reset = () => request.socket.resetAndDestroy();
    if (kind === 'connection refused') return reset();

    const body = await text(request);
    const forward = () => forwardCall(target, request.headers, body);
    switch (kind) {
      case 'reset before it was applied':
        return reset();
      case 'reset after it was applied':
        await forward();
        return reset();
      case 'ProvisionedThroughputExceededException':
      case 'ThrottlingException':
        return send(response, dynamodbError(400, kind));
      case 'internal error':
        return send(response, dynamodbError(500, 'InternalServerError'));
      case 'garbage':
        return send(response, new Response('<html>\u0000'));
      case 'silence':
        return;
      case 'delay':
        await pause(50);
        return send(response, await forward());
      case undefined:
        return send(response, await forward());
    }
  }

  const server = createServer((request, response) => {
    // A caller that has given up wants no response.
    respond(request, response).catch(() => response.destroy());
  });
  return {
    endpoint: `http://127.0.0.1:${await listen(server)}`,
    injected,
    close: () => close(server),
  };
}

const dynamodbError = (status: number, type: string) =>
  Response.json({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'injected' }, { status });

async function send(response: ServerResponse, sent: Response): Promise<void> {
  response.writeHead(sent.status, Object.fromEntries(sent.headers)).end(await sent.bytes());
}
