import { connect } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { createServer } from 'node:tls';
import { generate } from 'selfsigned';
import { listen } from '../../infra/local/http/listen.ts';
import { startDynamodb } from '../support/setup/start-dynamodb.ts';

const { endpoint: plainEndpoint } = await startDynamodb();
const { hostname: host, port, pathname } = new URL(plainEndpoint);

const { private: key, cert: certificate } = await generate([{ name: 'commonName', value: 'localhost' }], {
  extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
});
// Nagle's algorithm would add a delay that looks like the function's.
const server = createServer({ key, cert: certificate, noDelay: true }, (client) => {
  const dynamodb = connect({ host, port: Number(port), noDelay: true });
  // A function that was killed has cut its connection.
  pipeline(client, dynamodb, client).catch(() => undefined);
});

/** The endpoints of this DynamoDB, with TLS as on AWS and without, and the certificate to trust, in PEM. */
export type DynamodbAddress = Record<'certificate' | 'endpoint' | 'plainEndpoint', string>;

process.send?.({
  endpoint: `https://localhost:${await listen(server)}${pathname}`,
  plainEndpoint,
  certificate,
} satisfies DynamodbAddress);
process.once('disconnect', () => process.exit());
