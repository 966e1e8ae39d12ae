import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { listen } from '../../../infra/local/http/listen.ts';
import { forwardCall } from '../../support/functions/stub-dynamodb.ts';
import { type Build, startFunction } from './function-process.ts';

/** What an invocation took of DynamoDB. */
export interface Consumption {
  readonly readUnits: number;
  readonly itemsRead: number;
}

const Metered = v.object({
  // A call that is refused is not counted.
  ConsumedCapacity: v.optional(v.object({ CapacityUnits: v.number() }), { CapacityUnits: 0 }),
  ScannedCount: v.optional(v.number()),
  Item: v.optional(v.unknown()),
});

const nothing: Consumption = { readUnits: 0, itemsRead: 0 };

/** Starts a function with a DynamoDB that hands its calls on to the one at `endpoint`, and asks what they take. */
export async function startMetered(build: Build, endpoint: string) {
  let consumption = nothing;
  const calls: Promise<void>[] = [];
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { headers } = request;
    const call = { ...JSON.parse(await text(request)), ReturnConsumedCapacity: 'TOTAL' };
    const forwarded = await forwardCall(endpoint, { headers, body: JSON.stringify(call) });
    const body = await forwarded.text();
    const { ConsumedCapacity, ScannedCount, Item } = v.parse(Metered, JSON.parse(body));
    consumption = {
      readUnits: consumption.readUnits + ConsumedCapacity.CapacityUnits,
      itemsRead: consumption.itemsRead + (ScannedCount ?? (Item === undefined ? 0 : 1)),
    };
    response.writeHead(forwarded.status, { 'Content-Type': 'application/x-amz-json-1.0' }).end(body);
  }
  const server = createServer((request, response) => calls.push(respond(request, response)));
  const AWS_ENDPOINT_URL = `http://127.0.0.1:${await listen(server)}`;
  const started = await startFunction({ ...build, environment: { ...build.environment, AWS_ENDPOINT_URL } });
  // The call during init does not count, and on a busy machine it outlasts init.
  await started.invoke();
  await Promise.all(calls);

  return {
    /** Invokes the function with the event of its build, or another. */
    async invoke(event?: unknown): Promise<Consumption> {
      consumption = nothing;
      await started.invoke(event);
      return consumption;
    },
    async [Symbol.asyncDispose]() {
      await started[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}
