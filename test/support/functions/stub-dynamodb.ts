import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished, vi } from 'vitest';
import { listen } from '../../../bin/local-api/http/listen.ts';

export interface StubCall {
  /** Such as `GetItem`. */
  readonly action: string;
  readonly tableName: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Starts a server in place of DynamoDB, to inject faults: `respond` handles each call. */
export async function startStubDynamodb(
  respond: (call: StubCall, response: ServerResponse) => unknown,
): Promise<AsyncDisposable & { readonly endpoint: string }> {
  const server = createServer(async (request, response) => {
    const { headers } = request;
    const body = await text(request);
    const action = String(headers['x-amz-target']).replace(/^.*\./, '');
    await respond({ action, tableName: JSON.parse(body).TableName, headers, body }, response);
  });
  const port = await listen(server);
  const close = async () => server.close().closeAllConnections();
  return { endpoint: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: close };
}

export function respondJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
}

export function forwardCall(endpoint: string, { headers, body }: Pick<StubCall, 'headers' | 'body'>) {
  const { 'x-amz-target': target, 'x-amz-date': date, authorization } = headers;
  const sent = { 'X-Amz-Target': `${target}`, 'X-Amz-Date': `${date}`, Authorization: `${authorization}` };
  return fetch(endpoint, { method: 'POST', headers: sent, body });
}

export async function respondAs(endpoint: string, call: StubCall, response: ServerResponse): Promise<void> {
  const forwarded = await forwardCall(endpoint, call);
  response
    .writeHead(forwarded.status, { 'Content-Type': 'application/x-amz-json-1.0' })
    .end(await forwarded.text());
}

/** Starts a proxy of a DynamoDB that loses its first response, after the call took effect. */
export async function startLosingFirstResponse(endpoint: string) {
  let calls = 0;
  const proxy = await startStubDynamodb(async (call, response) => {
    calls += 1;
    if (calls > 1) return respondAs(endpoint, call, response);
    await forwardCall(endpoint, call);
    return response.socket?.resetAndDestroy();
  });
  return { ...proxy, calls: () => calls };
}

/** An endpoint at which nothing listens. */
export const nowhere = 'http://127.0.0.1:1';

/** Reloads modules for one test, with DynamoDB at `endpoint`. */
export async function loadAt<T>(endpoint: string, load: () => Promise<T>): Promise<T> {
  vi.stubEnv('AWS_ENDPOINT_URL', endpoint);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  vi.resetModules();
  return load();
}
