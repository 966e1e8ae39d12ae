import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** A request as received, with its body. */
export interface HttpRequest {
  readonly id: string;
  readonly receivedAt: Date;
  readonly method: string;
  /** Without the query, as sent: nothing is decoded. */
  readonly path: string;
  readonly query: string;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  /** As sent, in order. */
  readonly rawHeaders: readonly (readonly [name: string, value: string])[];
  /** Cut off somewhere beyond `maxBodyBytes`. */
  readonly body: Buffer;
  readonly sourceIp: string;
  /** The address and port that the client reached, whatever its Host header says. */
  readonly domainName: string;
  readonly port: number;
}

/** A response to be sent. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Buffer;
  /** Whether the connection is closed in place of the response. */
  readonly isLost?: boolean;
}

/** Responds to a request: itself, or with what `respond` returns, once that has been carried out. */
export type Intercept = (request: HttpRequest, respond: () => Promise<HttpResponse>) => Promise<HttpResponse>;

/** Responds to requests to a path. */
export type Endpoint = (request: HttpRequest) => Promise<HttpResponse>;

/** API Gateway's limit: https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html */
export const maxBodyBytes = 10 * 1024 * 1024;

export async function readRequest(message: IncomingMessage): Promise<HttpRequest> {
  const receivedAt = new Date();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message) {
    // An oversized body is still read to the end: otherwise the client would not read the response.
    if (size <= maxBodyBytes) chunks.push(chunk);
    size += chunk.length;
  }
  const { localAddress, localPort: port = 0, remoteAddress: sourceIp = '-' } = message.socket;
  // A client of a proxy sends the whole URL (RFC 9112 §3.2.2).
  const target = (message.url ?? '/').replace(/^https?:\/\/[^/?]*/i, '');
  const [path = ''] = target.split('?', 1);
  return {
    id: randomUUID(),
    receivedAt,
    method: message.method ?? '',
    path,
    query: target.slice(path.length + 1),
    headers: message.headersDistinct as Record<string, string[]>,
    rawHeaders: pairsOf(message.rawHeaders),
    body: Buffer.concat(chunks),
    sourceIp,
    domainName: `${localAddress}:${port}`,
    port,
  };
}

/** Node alternates names and values in one list. */
const pairsOf = (list: readonly string[]) =>
  list.flatMap((name, index) => (index % 2 === 0 ? [[name, list[index + 1] ?? ''] as const] : []));
