import { connect } from 'node:net';

export interface RawResponse {
  readonly status: number;
  /** By their lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sends bytes, written as Latin-1 characters, over a new connection, and returns the responses once it
 * closes. With `isIncomplete`, it closes the connection after 300 ms of silence.
 */
export async function sendBytes(port: number, bytes: string, isIncomplete = false): Promise<RawResponse[]> {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  let received = '';
  const socket = connect(port, '127.0.0.1')
    .setEncoding('latin1')
    .on('data', (text) => {
      received += text;
    })
    // A server may close while there is still something to be sent.
    .on('error', () => undefined)
    .on('close', () => resolve())
    .setTimeout(isIncomplete ? 300 : 20_000, () => socket.destroy());
  socket.write(bytes, 'latin1');
  await closed;
  return readResponses(received);
}

function readResponses(received: string): RawResponse[] {
  if (received === '') return [];
  const [head = ''] = received.split('\r\n\r\n', 1);
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(': ', 1)[0]?.toLowerCase(), line.slice(line.indexOf(': ') + 2)]),
  );
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  const afterHead = received.slice(head.length + 4);
  // An interim response only tells the client to continue.
  if (status === 100) return readResponses(afterHead);
  const body = afterHead.slice(0, Number(headers['content-length'] ?? afterHead.length));
  return [{ status, headers, body }, ...readResponses(afterHead.slice(body.length))];
}
