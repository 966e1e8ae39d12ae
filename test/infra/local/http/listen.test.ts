import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { closeGracefully, listen } from '../../../../infra/local/http/listen.ts';

/** A server with a request under way. */
async function busyServer() {
  const server = createServer();
  const url = `http://127.0.0.1:${await listen(server)}`;
  const underWay = fetch(url);
  const [, response] = await once(server, 'request');
  return { server, url, underWay, response };
}

it('closeGracefully completes the requests under way, and takes no other', async () => {
  const { server, url, underWay, response } = await busyServer();

  const closed = closeGracefully(server);
  await expect(fetch(url)).rejects.toThrow('fetch failed');
  response.setHeader('Connection', 'close').end('done');
  await closed;

  expect(await (await underWay).text()).toBe('done');
});

it('closeGracefully gives up on a request that takes too long', async () => {
  const { server, underWay } = await busyServer();

  await closeGracefully(server, [], 10);

  await expect(underWay).rejects.toThrow('fetch failed');
});
