import { type Response, readResponses, send } from '../faults/fuzz.ts';

/** A request over a connection of its own, but for its bytes. */
export const plainRequest = {
  kind: 'plain',
  client: { behaviour: 'at once' },
  responses: 1,
  isHead: false,
  isForAws: false,
} as const;

/** Sends what may be no HTTP to the local API on a port, and gives the response. */
export async function sendBytes(port: number, bytes: string): Promise<Response> {
  const received = await send(port, { ...plainRequest, bytes });
  const [response] = readResponses(received.bytes, false);
  if (!response) throw new Error('There is no response.');
  return response;
}
