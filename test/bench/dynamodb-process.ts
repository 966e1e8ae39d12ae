import { connect } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { createServer } from 'node:tls';
import { generate } from 'selfsigned';
import { listen } from '../../infra/local/http/listen.ts';
import { startDynamodb } from '../support/setup/start-dynamodb.ts';
import type { DynamodbAddress } from './workbench.ts';

const { endpoint: plainEndpoint } = await startDynamodb();
const { hostname: host, port, pathname } = new URL(plainEndpoint);

const { private: key, cert: certificate } = await generate([{ name: 'commonName', value: 'localhost' }], {
  extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
});
// A delay of Nagle's algorithm between the two connections would be taken for the function's.
const server = createServer({ key, cert: certificate, noDelay: true }, (client) => {
  const dynamodb = connect({ host, port: Number(port), noDelay: true });
  // A function that has ended has cut its connection, and there is nobody to tell.
  pipeline(client, dynamodb, client).catch(() => undefined);
});

process.send?.({
  endpoint: `https://localhost:${await listen(server)}${pathname}`,
  plainEndpoint,
  certificate,
} satisfies DynamodbAddress);
process.once('disconnect', () => process.exit());
