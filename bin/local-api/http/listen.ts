import { once } from 'node:events';
import type { Server } from 'node:net';

/**
 * Listens on this machine only; port 0 means any free one.
 *
 * @returns the port
 *
 * @throws {Error} if the port can't be used
 */
export async function listen(server: Server, port = 0): Promise<number> {
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch (error) {
    throw new Error(`Port ${port} cannot be used: pass --port <number> to choose another.`, { cause: error });
  }
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}
