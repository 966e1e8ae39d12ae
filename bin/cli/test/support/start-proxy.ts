import { createServer, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { listen } from '../../../local-api/http/listen.ts';

/** Starts a proxy that tunnels every request to one port, and records the hosts that were asked for. */
export async function startProxy(port: number) {
  const hosts: (string | undefined)[] = [];
  const proxy = createServer();
  proxy.on('connect', ({ url }: IncomingMessage, client: Socket) => {
    hosts.push(url);
    const target = connect(port, '127.0.0.1', () => client.write('HTTP/1.1 200 OK\r\n\r\n'));
    for (const socket of [client, target]) socket.on('error', () => undefined);
    target.pipe(client).pipe(target);
  });
  const proxyPort = await listen(proxy);
  onTestFinished(() => proxy.close().closeAllConnections());
  return { hosts, url: `http://127.0.0.1:${proxyPort}` };
}
