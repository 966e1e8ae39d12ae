import assert from 'node:assert/strict';
import {
  type CallOptions,
  type ClientEvent,
  PetStoreClient,
  PetStoreError,
} from '../../package/pet-store-client.ts';

// Calls the server of run.ts, whose address is the argument, on whichever runtime executes this file.

const [, , address = ''] = process.argv;
const bella = { id: 7n, name: 'Bella', categoryId: 9223372036854775807n, status: 'sold' } as const;

// Retries follow at once.
Math.random = () => 0;

/** Returns a client of the server's responses under a name. */
const clientOf = (name: string, origin = address) =>
  new PetStoreClient({ baseUrl: `${origin}/${name}/v1`, apiKey: 'secret' });

/** Expects that the server's responses under a name let a create succeed. */
const creates = async (name: string) => assert.deepEqual((await clientOf(name).createPet(bella)).pet, bella);

/** Expects that a create fails. */
const fails = (client: PetStoreClient, error: object, call: CallOptions = {}) =>
  assert.rejects(client.createPet(bella, call), error);

const isDeno = 'Deno' in globalThis;
const unreachable = { name: 'PetStoreError', code: 'unreachable', status: 0 };
const aborted = { name: 'PetStoreError', code: 'aborted', status: 0 };
const timeout = { name: 'PetStoreError', code: 'timeout', status: 0 };

const checks: Readonly<Record<string, () => Promise<unknown>>> = {
  'reads integers exactly': () => creates('pet'),
  async 'follows the link to the next page'() {
    assert.deepEqual(await Array.fromAsync(clientOf('pages').listPets()), [bella, bella]);
  },
  'retries a create after a 503 with Retry-After': () => creates('unavailable'),
  'retries after a connection that is reset': () => creates('reset'),
  'retries after a response that is cut off': () => creates('cut-off'),
  'fails with unreachable if nothing listens': () =>
    fails(clientOf('pet', 'http://127.0.0.1:1'), unreachable),
  'fails with unreachable if the host is unknown': () =>
    fails(clientOf('pet', 'http://pets.invalid'), unreachable),
  'fails with timeout if nothing responds': () => fails(clientOf('silence'), timeout, { timeout: 200 }),
  'fails with timeout if a response stops midway': () => fails(clientOf('stall'), timeout, { timeout: 200 }),
  'does not follow a redirect': () =>
    fails(clientOf('redirect'), { code: 'unexpected_response', status: 307 }),
  'reads no more than 2 MiB of a compressed response': () =>
    fails(clientOf('huge'), { code: 'unexpected_response', status: 200 }),
  async 'sends one request for a page as well as a loop'() {
    const list = clientOf('pages-once').listPets();
    assert.deepEqual((await list).pets, [bella]);
    assert.deepEqual(await Array.fromAsync(list), [bella]);
  },
  async 'knows of each request that it sends, but on Deno'() {
    const sent: string[] = [];
    const onEvent = ({ type }: ClientEvent) => void (type === 'request' && sent.push(type));
    const client = new PetStoreClient({ baseUrl: `${address}/reused/v1`, apiKey: 'secret', onEvent });
    await client.createPet(bella);
    // Its connection, which was used before, is lost.
    const { isReplayed } = await client.createPet(bella, { idempotencyKey: 'key' });
    assert.equal(sent.length, isDeno ? 2 : 3);
    assert.equal(isReplayed, undefined);
  },
  async 'tells a pet that existed before, but on Deno'() {
    const { isReplayed } = await clientOf('replayed').createPet(bella, { idempotencyKey: 'key' });
    assert.equal(isReplayed, isDeno ? undefined : true);
  },
  async 'fails without the key that a server sends back'() {
    const failure = await clientOf('echo')
      .createPet(bella)
      .catch((error: unknown) => error);
    assert.ok(failure instanceof PetStoreError);
    assert.equal(failure.headers.get('X-Echo'), '<API key>');
    assert.equal(failure.message, 'The key <API key> is wrong.');
  },
  async 'fails with aborted when it is aborted'() {
    const abort = new AbortController();
    const failed = fails(clientOf('silence'), aborted, { signal: abort.signal });
    abort.abort();
    await failed;
  },
};

for (const [title, check] of Object.entries(checks)) {
  await check().catch((cause: unknown) => {
    throw new Error(`The client ${title}: it does not.`, { cause });
  });
  console.log(`ok ${title}`);
}
