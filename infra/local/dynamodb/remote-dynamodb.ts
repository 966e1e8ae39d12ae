import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { HttpResponse } from '../http/http.ts';
import { socketAgent } from '../http/unix-socket.ts';
import type { Dynamodb, DynamodbRequest } from './embedded-dynamodb.ts';

/** The embedded DynamoDB of another process, which serves it on a socket. */
export class RemoteDynamodb implements Dynamodb {
  readonly #url: string;
  readonly #agent = socketAgent();

  constructor(url: string) {
    this.#url = url;
  }

  async respond({ target, authorization, body }: DynamodbRequest): Promise<HttpResponse> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const headers = { 'X-Amz-Target': target ?? '', Authorization: authorization ?? '' };
    request(this.#url, { agent: this.#agent, method: 'POST', headers }, resolve)
      .on('error', reject)
      .end(body);
    const response = await promise;
    return {
      status: response.statusCode ?? 500,
      headers: { 'Content-Type': 'application/x-amz-json-1.0' },
      body: await text(response),
    };
  }

  /** Leaves the tables to the process that has them. */
  async close(): Promise<void> {
    this.#agent.destroy();
  }
}
