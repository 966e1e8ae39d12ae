import { once } from 'node:events';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { expect, it } from 'vitest';
import { listen } from '../../../../infra/local/http/listen.ts';

const loopbacks = Object.values(networkInterfaces())
  .flatMap((addresses = []) => addresses)
  .filter(({ internal }) => internal)
  .map(({ address }) => address);

it.for(['127.0.0.1', '::1'])('listen rejects a port that is taken on %s', async (host, { skip }) => {
  skip(!loopbacks.includes(host), `This machine has no ${host}.`);
  await using other = createServer().listen(0, host);
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  await using server = createServer();

  await expect(listen(server, port)).rejects.toThrow(
    `Port ${port} cannot be used: pass --port <number> to choose another.`,
  );
});
