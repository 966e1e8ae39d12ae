import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request as it came in, its body read. */
export interface HttpRequest {
  readonly method: string;
  /** Without the query, and as it was sent: nothing is decoded. */
  readonly path: string;
  readonly query: string;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  /** Names and values as sent, in their order. */
  readonly rawHeaders: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  readonly sourceIp: string;
}

/** A response to be sent. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Buffer;
}

/** Responds to whatever is sent to a path. */
export type Page = (request: HttpRequest) => Promise<HttpResponse>;

/** API Gateway's own limit on the size of a body, in bytes. */
const maxBodyBytes = 10 * 1024 * 1024;

/** Reads a request; undefined if its body is larger than API Gateway accepts. */
export async function readRequest(message: IncomingMessage): Promise<HttpRequest | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message) {
    size += chunk.length;
    // A body that is too large is still read to its end: otherwise the client would not read the response.
    if (size <= maxBodyBytes) chunks.push(chunk);
  }
  if (size > maxBodyBytes) return undefined;
  // A client of a proxy sends the whole URL (RFC 9112 §3.2.2).
  const target = (message.url ?? '/').replace(/^https?:\/\/[^/?]*/i, '');
  const queryAt = target.indexOf('?');
  return {
    method: message.method ?? '',
    path: queryAt < 0 ? target : target.slice(0, queryAt),
    query: queryAt < 0 ? '' : target.slice(queryAt + 1),
    headers: message.headersDistinct as Record<string, string[]>,
    rawHeaders: pairsOf(message.rawHeaders),
    body: Buffer.concat(chunks),
    sourceIp: message.socket.remoteAddress ?? '',
  };
}

/** Node has names and values in turn in one list. */
const pairsOf = (list: readonly string[]) =>
  list.flatMap((name, index) => (index % 2 === 0 ? [[name, list[index + 1] ?? ''] as const] : []));

/** Sends a response. */
export function sendResponse(response: ServerResponse, { status, headers, body }: HttpResponse): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.statusCode = status;
  response.end(body);
}
