import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';
import { commonHeaders } from '../../../shared/contract/common-headers.ts';
import { ErrorBody } from '../../../shared/contract/errors/error-table.ts';
import type { Bytes } from './hostile-parts.ts';
import type { HostileRequest } from './hostile-requests.ts';

/** What came back over the connection, and whether the server had to be left. */
export interface Received {
  readonly bytes: Bytes;
  readonly isLeft: boolean;
}

export interface Response {
  readonly status: number;
  /** By their lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Bytes;
}

/** After so many milliseconds of silence a client that is owed no response says that it has no more to send. */
const quiet = 300;

/** How long a client waits for a response that is due, in milliseconds. */
const timeout = 20_000;

/** Sends a request over a connection of its own to the local API, and reads until the connection is closed. */
export async function send(port: number, { bytes, client, responses }: HostileRequest): Promise<Received> {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const received: Buffer[] = [];
  let isLeft = false;
  const socket = connect(port, '127.0.0.1')
    .on('data', (chunk) => received.push(chunk))
    // A server may close while there is still something to be sent.
    .on('error', () => undefined)
    .on('close', () => resolve());
  const leave = () => {
    isLeft = true;
    socket.destroy();
  };

  const all = Buffer.from(bytes, 'latin1');
  if (client.behaviour === 'slow') {
    const size = Math.ceil(all.length / client.pieces);
    for (let start = 0; start < all.length && socket.writable; start += size) {
      socket.write(all.subarray(start, start + size));
      await pause(client.milliseconds);
    }
  } else if (client.behaviour === 'aborting') {
    socket.write(all.subarray(0, Math.floor(all.length * client.sent)), () => socket.resetAndDestroy());
  } else {
    socket.write(all);
  }
  if (responses > 0) socket.setTimeout(timeout, leave);
  else socket.setTimeout(quiet, () => socket.end().setTimeout(timeout, leave));

  await closed;
  return { bytes: Buffer.concat(received).toString('latin1'), isLeft };
}

/** Reads the responses that came over a connection. */
export function readResponses(received: Bytes, isHead: boolean): Response[] {
  const responses: Response[] = [];
  for (let rest = received; rest !== ''; ) {
    const [head = ''] = rest.split('\r\n\r\n', 1);
    const [statusLine = '', ...lines] = head.split('\r\n');
    const headers = new Map(
      lines.map((line): [string, string] => {
        const [name = '', value = ''] = line.split(': ', 2);
        return [name.toLowerCase(), value];
      }),
    );
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    const afterHead = rest.slice(head.length + 4);
    const hasBody = !isHead || afterHead !== '';
    const body = hasBody ? afterHead.slice(0, Number(headers.get('content-length') ?? afterHead.length)) : '';
    rest = afterHead.slice(body.length);
    // An interim response says only that the client may go on.
    if (status !== 100) responses.push({ status, headers, body });
  }
  return responses;
}

/** What of an exchange the API must never do. */
export function violations(request: HostileRequest, received: Received): string[] {
  if (request.client.behaviour === 'aborting') return [];
  const responses = readResponses(received.bytes, request.isHead);
  const isShort = responses.length < request.responses;
  return [
    ...(received.isLeft ? [`left open for ${timeout / 1000} s`] : []),
    ...(isShort ? [`${responses.length} responses instead of ${request.responses}`] : []),
    ...responses.flatMap((response) => violationsOf(response, request)),
  ];
}

function violationsOf({ status, headers, body }: Response, { isHead, isForAws }: HostileRequest): string[] {
  if (status === 200 || status === 201) return [];
  if (!(status >= 400 && status < 500)) return [`status ${status}: ${body.slice(0, 500)}`];
  if (isForAws || (isHead && body === '')) return [];

  const missing = Object.entries({ ...commonHeaders, 'Content-Type': 'application/json' }).filter(
    ([name, value]) => headers.get(name.toLowerCase()) !== value,
  );
  const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), ErrorBody), body);
  return [
    ...missing.map(([name]) => `status ${status} with ${name}: ${headers.get(name.toLowerCase())}`),
    ...(success && output.status === status ? [] : [`status ${status} with the body ${body.slice(0, 500)}`]),
  ];
}
