import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Server as NetServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

/**
 * Listens on this machine only; for port 0 on any free one.
 *
 * @returns the port
 *
 * @throws {Error} when the port is taken or not for this user
 */
export async function listen(server: NetServer, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error: unknown) => {
    throw new Error(`Port ${port} cannot be used: pass --port <number> to choose another.`, { cause: error });
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
  return address.port;
}

/** Closes a server with all of its connections. */
export async function close(server: Server): Promise<void> {
  const closed = promisify(server.close.bind(server))();
  server.closeAllConnections();
  await closed;
}

/** Closes a server once `pending` is settled and it has responded to every request, or after `timeoutMs`. */
export async function closeGracefully(
  server: Server,
  pending: readonly Promise<unknown>[] = [],
  timeoutMs = 5000,
): Promise<void> {
  const timeout = pause(timeoutMs, undefined, { ref: false });
  await Promise.race([Promise.allSettled(pending), timeout]);
  const closed = once(server, 'close');
  server.close();
  void timeout.then(() => server.closeAllConnections());
  await closed;
}
