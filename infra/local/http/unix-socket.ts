import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, type Server } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { close } from './listen.ts';

/** An HTTP server that neither a page in a browser nor another user can reach. */
export interface SocketServer {
  /** The host is the path of the socket in hex, below a domain that never resolves (RFC 6761 §6.4): see `reachSockets`. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Listens on a Unix socket in a folder of its own, which is removed with the server or the process; on Windows on a named
 * pipe.
 */
export async function listenOnSocket(server: Server): Promise<SocketServer> {
  const isWindows = process.platform === 'win32';
  // Only this user can enter the folder: its mode is 0700.
  const folder = isWindows ? undefined : mkdtempSync(join(tmpdir(), 'pet-store-'));
  const path = folder === undefined ? `\\\\.\\pipe\\pet-store-${randomUUID()}` : join(folder, 'socket');
  const removeFolder = () => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', removeFolder);

  // A process of a cluster would share it.
  server.listen({ path, exclusive: true });
  await once(server, 'listening');
  return {
    url: `http://${Buffer.from(path).toString('hex')}.invalid`,
    async close() {
      await close(server);
      process.off('exit', removeFolder);
      removeFolder();
    },
  };
}

const socketAt = (host: string | null | undefined): string | undefined => {
  const hex = /^((?:[0-9a-f]{2})+)\.invalid$/.exec(host ?? '')?.[1];
  return hex === undefined ? undefined : Buffer.from(hex, 'hex').toString();
};

const { createConnection } = Agent.prototype;

const connectToSocket: typeof createConnection = function (this: Agent, options, callback) {
  const path = socketAt(options.host);
  return path === undefined ? createConnection.call(this, options, callback) : connect(path);
};

/** An agent that connects to servers on sockets by their URLs. */
export const socketAgent = (): Agent =>
  Object.assign(new Agent({ keepAlive: true }), { createConnection: connectToSocket });

/** Makes every agent of this thread connect to them, including those of bundles, which know only URLs. */
export function reachSockets(): void {
  Agent.prototype.createConnection = connectToSocket;
}
