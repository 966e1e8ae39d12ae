import { once } from 'node:events';
import { connect, type Server } from 'node:net';

/**
 * Listens on this machine only; port 0 means any free one.
 *
 * @returns the port
 *
 * @throws {Error} if the port can't be used
 */
export async function listen(server: Server, port = 0): Promise<number> {
  try {
    // On macOS, 127.0.0.1 is free even if another server has the port on `::`, and so gets some requests.
    if (port !== 0 && (await isAnswered('::1', port))) throw new Error('Another server answers on ::1.');
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch (error) {
    throw new Error(`Port ${port} cannot be used: pass --port <number> to choose another.`, { cause: error });
  }
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

async function isAnswered(host: string, port: number): Promise<boolean> {
  const socket = connect(port, host);
  const connected = once(socket, 'connect').then(
    () => true,
    () => false,
  );
  return connected.finally(() => socket.destroy());
}
