import { beforeEach, describe, expect, it, vi } from 'vitest';
import { examplePet } from '../../../shared/contract/operations.ts';
import { dynamodb } from '../../../shared/lambda/dynamodb.ts';
import { creationDigest, idOf } from '../../../shared/tables/creation.ts';
import { insertNoPet, insertPet } from '../../../shared/tables/pets-table.ts';
import { captureLog } from '../../support/functions/capture-log.ts';
import { allItems, putItem } from '../../support/functions/stored-items.ts';
import { putPet, removeEveryPet } from '../../support/functions/stored-pets.ts';

captureLog();

// JSON's own numbers would round this category.
const { id: _id, ...bella } = { ...examplePet, categoryId: -(2n ** 63n), status: 'sold' as const };
const creation = { client: 'acme', key: 'one', body: bella };
const otherBody = { ...creation, body: { ...bella, name: 'Bello' } };
const id = idOf(creation, 0);

/** The item of the pet that the creation makes. */
const bellaItem = { id, ...bella, digest: creationDigest(creation) };

const reused = 'This Idempotency-Key was used before with another body: send a new key with a new body.';
const deleted = 'What this Idempotency-Key created has been deleted: send a new key to create another.';

beforeEach(removeEveryPet);

describe('insertOnce', () => {
  it('takes the next id when other creations have the first two', async () => {
    const others = [await putPet(id), await putPet(idOf(creation, 1))];

    const inserted = await insertPet(bella, creation);
    const repeated = await insertPet(bella, creation);

    const pet = { id: idOf(creation, 2), ...bella };
    expect(inserted).toEqual({ item: pet, isReplay: false });
    expect(repeated).toEqual({ item: pet, isReplay: true });
    expect(new Set(await allItems('pets'))).toEqual(new Set([...others, { ...bellaItem, ...pet }]));
  });

  it('creates no second pet if the stored digest is damaged', async () => {
    await putPet(id, { digest: new Uint8Array(16) });

    await expect(insertPet(bella, creation)).rejects.toEqual(new Error('A stored item is damaged.'));

    expect(await allItems('pets')).toHaveLength(1);
  });

  it('fails when the write is rejected for any other reason', async () => {
    const denied = new Error('no permission');
    vi.spyOn(dynamodb, 'send').mockRejectedValueOnce(denied);

    await expect(insertPet(bella, creation)).rejects.toBe(denied);
  });
});

describe('a digest', () => {
  // These are the bytes of an item from before digests had formats.
  const hex = 'fd94f8552c302ba8141f83097e1699c28ed96f69060f398f01a1caa10a7af132';
  const bodyOfThen = { name: 'Bella', categoryId: -(2n ** 63n), status: 'sold' };
  const stored = (text: string) => putPet(id, { ...bella, digest: new Uint8Array(Buffer.from(text, 'hex')) });

  it('is written in the bytes that every earlier version reads', async () => {
    await insertPet(bella, { ...creation, body: bodyOfThen });

    const [item] = await allItems('pets');
    expect(Buffer.from(item?.['digest']).toString('hex')).toBe(hex);
  });

  it('of an earlier version makes a retry a replay', async () => {
    await stored(hex);

    expect(await insertPet(bella, { ...creation, body: bodyOfThen })).toEqual({
      item: { id, ...bella },
      isReplay: true,
    });
    await expect(insertPet(bella, otherBody)).rejects.toMatchObject({ message: reused });
  });

  it.each([
    ['with another body', `${hex}01`],
    ['longer than any so far', `${hex.slice(0, 32)}${'00'.repeat(40)}ff`],
  ])('of an unknown format makes a retry a replay, %s', async (_title, text) => {
    await stored(text);

    expect(await insertPet(bella, otherBody)).toEqual({ item: { id, ...bella }, isReplay: true });
  });

  it('of an unknown format belongs to another creation if its first half differs', async () => {
    await stored(`00${hex.slice(2)}01`);

    const { item, isReplay } = await insertPet(bella, creation);

    expect({ id: item.id, isReplay }).toEqual({ id: idOf(creation, 1), isReplay: false });
  });
});

describe('a deleted item', () => {
  it.each([
    ['the same body', creation],
    ['another body', otherBody],
  ])('is not created again by a late retry with %s', async (_title, retry) => {
    const item = { id, digest: bellaItem.digest, deletedAt: 1n };
    await putItem('pets', item);

    await expect(insertPet(bella, retry)).rejects.toMatchObject({
      code: 'idempotency_key_reused',
      message: deleted,
    });

    expect(await allItems('pets')).toEqual([item]);
  });

  it('leaves the next id to another creation', async () => {
    await putItem('pets', { id, digest: new Uint8Array(32), deletedAt: 1n });

    expect(await insertPet(bella, creation)).toMatchObject({ item: { id: idOf(creation, 1) } });
  });
});

it.each([undefined, 0n])('insertNothing writes nothing (stored: %s)', async (stored) => {
  const items = stored === undefined ? [] : [await putPet(stored)];

  await insertNoPet();

  expect(await allItems('pets')).toEqual(items);
});
