import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from './dynamodb.ts';
import { type Item, isDeleted, nowInSeconds, parseItem } from './stored-item.ts';
import { type AttributesOf, type ItemOf, type KeyOf, namesOf, someKey, type Table } from './table.ts';
import { impossible, writeIf } from './write-if.ts';

// For later operations that update or delete items: CONTRIBUTING.md#to-add-an-operation

/** Which item to change, and what has to be true of it. */
interface Change<T extends Table> {
  readonly key: KeyOf<T>;
  /** The values that its attributes must have; undefined for one that it must not have. */
  readonly expected?: Readonly<Partial<AttributesOf<T>>> | undefined;
}

/** Why an item was not changed: it is not as expected, or there is none. */
type Unchanged<T extends Table> =
  | { readonly outcome: 'refused'; readonly item: ItemOf<T> }
  | { readonly outcome: 'absent' };

/**
 * Sets attributes of an item that is as expected, in one write. An undefined value removes its attribute.
 *
 * @throws {ApiError} `service_unavailable` while DynamoDB is unreachable or throttling
 * @throws {Error} if the item is damaged, after logging it
 *
 * @example
 * ```ts
 * const sale = { key: { id }, expected: { status: 'available' }, changes: { status: 'sold' } } as const;
 *
 * const result = await updateIf(pets, sale);
 * // { outcome: 'changed', item: { id, name: 'Bella', categoryId: 1n, status: 'sold' } }
 * ```
 */
export async function updateIf<T extends Table>(
  table: T,
  change: Change<T> & { readonly changes: Readonly<Partial<Omit<AttributesOf<T>, keyof KeyOf<T>>>> },
): Promise<{ readonly outcome: 'changed'; readonly item: ItemOf<T> } | Unchanged<T>> {
  const { isWritten, item } = await write(table, change, change.changes);
  if (isWritten && item) return { outcome: 'changed', item: parseItem(table, item) };
  return unchanged(table, item);
}

/**
 * Deletes an item that is as expected, in one write. What stays of it says so: see {@link isDeleted}.
 *
 * @throws as `updateIf` does
 */
export async function deleteIf<T extends Table>(
  table: T,
  change: Change<T>,
): Promise<{ readonly outcome: 'deleted' } | Unchanged<T>> {
  const { schema, key, keyTypes } = table;
  const names = new Set(Object.keys({ ...schema.entries, ...keyTypes })).difference(new Set(namesOf(key)));
  const removals = Object.fromEntries([...names].map((name) => [name, undefined]));
  const { isWritten, item } = await write(table, change, { ...removals, deletedAt: nowInSeconds() });
  return isWritten ? { outcome: 'deleted' } : unchanged(table, item);
}

/** Sends the update of `updateIf` and `deleteIf` with a condition that no item meets: DynamoDB refuses it. */
export async function sendRefusedUpdate(table: Table): Promise<void> {
  await write(table, { key: someKey(table) }, {}, impossible);
}

function unchanged<T extends Table>(table: T, item: Item | undefined): Unchanged<T> {
  if (!item || isDeleted(item)) return { outcome: 'absent' };
  return { outcome: 'refused', item: parseItem(table, item) };
}

function write<T extends Table>(
  { tableName, key }: Table,
  { key: Key, expected }: Change<T>,
  changes: Item,
  condition = 'attribute_exists(#key) AND attribute_not_exists(deletedAt)',
) {
  return writeIf((lastWrite) => {
    const conditions = termsOf('expected', expected ?? {});
    const assignments = termsOf('new', { ...changes, lastWrite });
    const terms = [...conditions, ...assignments];
    const isAsExpected = conditions.map(({ name, place, value }) =>
      value === undefined ? `attribute_not_exists(${name})` : `${name} = ${place}`,
    );
    const set = assignments.filter(hasValue).map(({ name, place }) => `${name} = ${place}`);
    const removed = assignments.filter((term) => !hasValue(term)).map(({ name }) => name);
    const update = new UpdateCommand({
      TableName: tableName,
      Key,
      ConditionExpression: [condition, ...isAsExpected].join(' AND '),
      UpdateExpression: `SET ${set}${removed.length > 0 ? ` REMOVE ${removed}` : ''}`,
      ExpressionAttributeNames: Object.fromEntries([
        ['#key', key.partition],
        ...terms.map(({ name, attribute }) => [name, attribute]),
      ]),
      ExpressionAttributeValues: Object.fromEntries(
        terms.filter(hasValue).map(({ place, value }) => [place, value]),
      ),
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    return dynamodb.send(update);
  });
}

/** An attribute in an expression, with placeholders for its name and its value. */
type Term = ReturnType<typeof termsOf>[number];

const termsOf = (kind: 'expected' | 'new', item: Item) =>
  Object.entries(item).map(([attribute, value], index) => ({
    attribute,
    value,
    name: `#${kind}${index}`,
    place: `:${kind}${index}`,
  }));

const hasValue = ({ value }: Term) => value !== undefined;
