import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { describe, expect, it } from 'vitest';
import { close, closeGracefully, listen } from '../../../../infra/local/http/listen.ts';

const urlOf = async (server: Server) => `http://127.0.0.1:${await listen(server)}`;

describe('listen', () => {
  it('says which port is taken, and what to do', async () => {
    const first = createServer();
    const port = await listen(first);

    await expect(listen(createServer(), port)).rejects.toThrow(
      new Error(`Port ${port} can't be used, choose another one`),
    );

    await close(first);
  });
});

describe('close', () => {
  it('does not wait for the requests under way', async () => {
    const server = createServer();
    const response = fetch(await urlOf(server));
    await once(server, 'request');

    await close(server);

    await expect(response).rejects.toThrow('fetch failed');
  });
});

describe('closeGracefully', () => {
  it('completes the requests under way, and takes no other', async () => {
    const server = createServer();
    const url = await urlOf(server);
    const first = fetch(url);
    const [, response] = await once(server, 'request');

    const closed = closeGracefully(server);
    await expect(fetch(url)).rejects.toThrow('fetch failed');
    response.setHeader('Connection', 'close').end('done');
    await closed;

    expect(await (await first).text()).toBe('done');
  });

  it('gives up on a request that takes too long', async () => {
    const server = createServer();
    const response = fetch(await urlOf(server));
    await once(server, 'request');

    await closeGracefully(server, 10);

    await expect(response).rejects.toThrow('fetch failed');
  });
});
