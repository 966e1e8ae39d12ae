import { createServer } from 'node:https';
import { fetch, ProxyAgent } from 'undici';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startProxy } from '../../../cli/test/support/start-proxy.ts';
import { listen } from '../../../local-api/http/listen.ts';
import { PetStoreClient } from '../../package/pet-store-client.ts';
import { bella, clientOf, created, newPet, pet, useNoRandomWait, valid } from '../stub-client.ts';
import { ownCa } from '../support/own-ca.ts';

useNoRandomWait();

it("reaches the API with undici's fetch, through a proxy whose CA is a company's own", async () => {
  const server = createServer(ownCa, (request, response) => {
    response.writeHead(201, { 'x-amzn-RequestId': `${request.headers.authorization}` }).end(pet);
  });
  const proxy = await startProxy(await listen(server));
  onTestFinished(() => server.close().closeAllConnections());
  const dispatcher = new ProxyAgent({ uri: proxy.url, requestTls: { ca: ownCa.cert } });
  onTestFinished(() => dispatcher.close());
  const api = new PetStoreClient({
    baseUrl: 'https://pets.example/v1',
    apiKey: 'secret',
    fetch: (url, init) => fetch(url, { ...init, dispatcher }),
  });

  const result = await api.createPet(newPet);

  expect(result).toMatchObject({ pet: bella, requestId: 'Bearer <API key>' });
  expect(proxy.hosts).toStrictEqual(['pets.example:443']);
});

it('gives a fetch the address as text, with plain headers', async () => {
  const fake = vi.fn<typeof globalThis.fetch>(async () => new Response(`[${pet}]`));

  await new PetStoreClient({ ...valid, fetch: fake }).listPets();

  const headers = { authorization: 'Bearer secret', 'user-agent': expect.any(String) };
  const init = { method: 'GET', headers, body: null, redirect: 'manual', signal: expect.any(AbortSignal) };
  expect(fake.mock.calls).toStrictEqual([['http://pets.example/v1/pets?limit=100', init]]);
});

it('ends a call in time although its fetch ignores the signal', async () => {
  const { api } = await clientOf([created], { fetch: () => new Promise(() => undefined), timeout: 50 });

  await expect(api.listPets()).rejects.toMatchObject({ code: 'timeout', status: 0 });
});
