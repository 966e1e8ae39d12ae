import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface RawResponse {
  readonly status: number;
  /** By their lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How to send the bytes of a request. */
interface Sending {
  /** The number of pieces, with a pause after each. */
  readonly pieces?: number;
  /** Resets the connection instead of waiting for a response. */
  readonly isAborted?: boolean;
  /** Whether the request may never be complete, so that the server waits for more of it. */
  readonly isIncomplete?: boolean;
}

/** How long to wait for a response that is due, in milliseconds. */
const timeout = 20_000;

/** After so many milliseconds of silence the client of an incomplete request ends it. */
const quiet = 300;

/** Sends bytes, each as the character of its number, over a new connection, and reads the responses until it closes. */
export async function sendBytes(port: number, bytes: string, sending: Sending = {}): Promise<RawResponse[]> {
  const { pieces = 1, isAborted = false, isIncomplete = false } = sending;
  const { promise: closed, resolve, reject } = Promise.withResolvers<void>();
  const received: Buffer[] = [];
  const socket = connect(port, '127.0.0.1')
    .on('data', (chunk) => received.push(chunk))
    // A server may close while there is still something to be sent.
    .on('error', () => undefined)
    .on('close', () => resolve());
  const giveUp = () => {
    reject(new Error(`The server left the connection open for ${timeout / 1000} s.`));
    socket.destroy();
  };
  if (isIncomplete) socket.setTimeout(quiet, () => socket.end().setTimeout(timeout, giveUp));
  else socket.setTimeout(timeout, giveUp);

  const all = Buffer.from(bytes, 'latin1');
  const size = Math.ceil(all.length / pieces);
  for (let start = 0; start < all.length && socket.writable; start += size) {
    socket.write(all.subarray(start, start + size));
    if (pieces > 1) await pause(10);
  }
  if (isAborted) socket.resetAndDestroy();
  await closed;
  return readResponses(Buffer.concat(received).toString('latin1'));
}

function readResponses(received: string): RawResponse[] {
  const responses: RawResponse[] = [];
  for (let rest = received; rest !== ''; ) {
    const [head = ''] = rest.split('\r\n\r\n', 1);
    const [statusLine = '', ...lines] = head.split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [line.split(': ', 1)[0]?.toLowerCase(), line.slice(line.indexOf(': ') + 2)]),
    );
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    const afterHead = rest.slice(head.length + 4);
    const body = afterHead.slice(0, Number(headers['content-length'] ?? afterHead.length));
    rest = afterHead.slice(body.length);
    // An interim response says only that the client may go on.
    if (status !== 100) responses.push({ status, headers, body });
  }
  return responses;
}
