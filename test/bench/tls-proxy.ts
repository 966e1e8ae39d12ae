import { connect } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { createServer } from 'node:tls';
import { generate } from 'selfsigned';
import { listen } from '../../infra/local/http/listen.ts';

/** Starts a server that adds TLS to a port of this machine, and returns its port and its certificate in PEM. */
export async function startTlsProxy(port: number) {
  const { private: key, cert: certificate } = await generate([{ name: 'commonName', value: 'localhost' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  });
  // Nagle's algorithm would add a delay that looks like the function's.
  const server = createServer({ key, cert: certificate, noDelay: true }, (client) => {
    const target = connect({ host: '127.0.0.1', port, noDelay: true });
    // A function that was killed has cut its connection.
    pipeline(client, target, client).catch(() => undefined);
  });
  return { certificate, port: await listen(server), [Symbol.dispose]: () => server.close() };
}
