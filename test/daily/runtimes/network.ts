import assert from 'node:assert/strict';
import { type CallOptions, PetStoreClient } from '../../../shared/client/pet-store-client.ts';

// Calls the server of run.ts, whose address is the argument, on whichever runtime executes this file.

const [, , address = ''] = process.argv;
const bella = { id: 7n, name: 'Bella', categoryId: 9223372036854775807n, status: 'sold' } as const;

// Retries follow at once.
Math.random = () => 0;

/** Returns a client of the server's responses under a name. */
const clientOf = (name: string, options: CallOptions = {}, origin = address) =>
  new PetStoreClient({ baseUrl: `${origin}/${name}/v1`, apiKey: 'secret', ...options });

const checks: Readonly<Record<string, () => Promise<unknown>>> = {
  async 'reads integers exactly'() {
    assert.deepEqual((await clientOf('pet').createPet(bella)).pet, bella);
  },
  async 'follows the link to the next page'() {
    assert.deepEqual(await Array.fromAsync(await clientOf('pages').listPets()), [bella, bella]);
  },
  async 'retries a create after a 503 with Retry-After'() {
    assert.deepEqual((await clientOf('unavailable').createPet(bella)).pet, bella);
  },
  async 'retries after a connection that is reset'() {
    assert.deepEqual((await clientOf('reset').createPet(bella)).pet, bella);
  },
  async 'retries after a response that is cut off'() {
    assert.deepEqual((await clientOf('cut-off').createPet(bella)).pet, bella);
  },
  async 'fails with unreachable if nothing listens'() {
    const failed = clientOf('pet', {}, 'http://127.0.0.1:1').createPet(bella);
    await assert.rejects(failed, { name: 'PetStoreError', code: 'unreachable', status: 0 });
  },
  async 'fails with unreachable if the host is unknown'() {
    const failed = clientOf('pet', {}, 'http://pets.invalid').createPet(bella);
    await assert.rejects(failed, { name: 'PetStoreError', code: 'unreachable', status: 0 });
  },
  async 'fails with timeout if nothing responds'() {
    const failed = clientOf('silence').createPet(bella, undefined, { timeout: 200 });
    await assert.rejects(failed, { name: 'PetStoreError', code: 'timeout', status: 0 });
  },
  async 'fails with timeout if a response stops midway'() {
    const failed = clientOf('stall').createPet(bella, undefined, { timeout: 200 });
    await assert.rejects(failed, { name: 'PetStoreError', code: 'timeout', status: 0 });
  },
  async 'does not follow a redirect'() {
    const failed = clientOf('redirect').createPet(bella);
    await assert.rejects(failed, { code: 'unexpected_response', status: 307 });
  },
  async 'throws an AbortError when it is aborted'() {
    const abort = new AbortController();
    const failed = clientOf('silence').createPet(bella, undefined, { signal: abort.signal });
    abort.abort();
    await assert.rejects(failed, { name: 'AbortError' });
  },
};

for (const [title, check] of Object.entries(checks)) {
  await check().catch((cause: unknown) => {
    throw new Error(`The client ${title}: it does not.`, { cause });
  });
  console.log(`ok ${title}`);
}
