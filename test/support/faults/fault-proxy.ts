import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { close, listen } from '../../../infra/local/http/listen.ts';
import { forwardCall } from '../setup/forward-call.ts';

/** What can go wrong with a call of DynamoDB and be over in about a second; a trickle takes minutes. */
export const faultKinds = [
  'delay',
  'connection refused',
  'reset before it was applied',
  'reset after it was applied',
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'internal error',
  'garbage',
  'slow response',
  'silence',
] as const;
export type FaultKind = (typeof faultKinds)[number] | 'trickle';

/** Says which fault the next call meets, if any. */
export type Schedule = () => FaultKind | undefined;

/** A schedule that a seed decides: at a rate from 0 to 1, one of the kinds. */
export function seededSchedule(seed: number, rate: number, kinds: readonly FaultKind[]): Schedule {
  const random = mulberry32(seed);
  return () => (random() < rate ? kinds[Math.floor(random() * kinds.length)] : undefined);
}

export interface FaultProxy {
  readonly endpoint: string;
  /** How many faults of each kind there were. */
  readonly injected: ReadonlyMap<FaultKind, number>;
  close(): Promise<void>;
}

/** Starts a proxy in front of a DynamoDB, through which calls fail as a schedule says. */
export async function startFaultProxy(target: string, schedule: Schedule): Promise<FaultProxy> {
  const injected = new Map<FaultKind, number>();

  async function forward({ headers }: IncomingMessage, body: string): Promise<Response> {
    const forwarded = await forwardCall(target, headers, body);
    return {
      status: forwarded.status,
      headers: Object.fromEntries(forwarded.headers),
      body: Buffer.from(await forwarded.arrayBuffer()),
    };
  }

  async function respond(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const kind = schedule();
    if (kind !== undefined) injected.set(kind, (injected.get(kind) ?? 0) + 1);
    if (kind === 'connection refused') return reset(message);

    const body = await text(message);
    switch (kind) {
      case 'reset before it was applied':
        return reset(message);
      case 'reset after it was applied':
        await forward(message, body);
        return reset(message);
      case 'ProvisionedThroughputExceededException':
      case 'ThrottlingException':
        return send(response, dynamodbError(400, kind));
      case 'internal error':
        return send(response, dynamodbError(500, 'InternalServerError'));
      case 'garbage':
        return send(response, { status: 200, headers: jsonType, body: Buffer.from('<html>\u0000') });
      case 'silence':
        return;
      case 'delay':
        await pause(50);
        return send(response, await forward(message, body));
      case 'slow response':
        return sendSlowly(response, await forward(message, body), 1);
      case 'trickle':
        return sendSlowly(response, await forward(message, body), 500);
      case undefined:
        return send(response, await forward(message, body));
    }
  }

  const server = createServer((message, response) => {
    // A caller that has given up wants no response.
    respond(message, response).catch(() => response.destroy());
  });
  return {
    endpoint: `http://127.0.0.1:${await listen(server)}`,
    injected,
    close: () => close(server),
  };
}

interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const jsonType = { 'content-type': 'application/x-amz-json-1.0' };

const dynamodbError = (status: number, type: string): Response => ({
  status,
  headers: jsonType,
  body: Buffer.from(
    JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'injected' }),
  ),
});

function reset({ socket }: IncomingMessage): void {
  socket.resetAndDestroy();
}

function send(response: ServerResponse, { status, headers, body }: Response): void {
  response.writeHead(status, headers).end(body);
}

/** Sends a byte every so many milliseconds. */
async function sendSlowly(
  response: ServerResponse,
  { status, headers, body }: Response,
  every: number,
): Promise<void> {
  response.writeHead(status, headers);
  for (const byte of body) {
    response.write(Buffer.of(byte));
    await pause(every);
    if (response.destroyed) return;
  }
  response.end();
}

/** A small seeded random number generator, from 0 to 1. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
