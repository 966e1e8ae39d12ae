/** An attribute's value as DynamoDB's API has it, such as `{ S: 'Bella' }`. */
export type StoredValue = Readonly<Record<string, unknown>>;

/** An item as DynamoDB's API has it. */
export type StoredItem = Readonly<Record<string, StoredValue>>;

/**
 * Returns the units that a read takes, for the sum of what it reads: half if it is eventually consistent.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
 */
export const readUnits = (items: readonly StoredItem[], isConsistent = false): number =>
  Math.max(1, Math.ceil(sumOf(items.map(itemSize)) / 4096)) / (isConsistent ? 1 : 2);

/** Returns the units that a write of an item takes in a table, or in an index with all attributes. */
export const writeUnits = (item: StoredItem = {}): number => Math.max(1, Math.ceil(itemSize(item) / 1024));

/**
 * Returns the size of an item in bytes. An embedded DynamoDB would count UTF-16, where AWS counts UTF-8.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
export const itemSize = (item: StoredItem): number =>
  sumOf(Object.entries(item).map(([name, value]) => Buffer.byteLength(name) + valueSize(value)));

function valueSize({ S, N, B, L, M, BOOL, NULL }: StoredValue): number {
  if (BOOL !== undefined || NULL !== undefined) return 1;
  // A list or map takes 3 bytes, and each element 1.
  if (Array.isArray(L)) return 3 + sumOf(L.map((element) => 1 + valueSize(element)));
  if (isItem(M)) return 3 + Object.keys(M).length + itemSize(M);
  if (typeof S === 'string') return Buffer.byteLength(S);
  if (typeof B === 'string') return Buffer.from(B, 'base64').length;
  if (typeof N !== 'string') throw new Error('Add the size of this type of value.');
  const [, sign = '', digits = ''] = /^(-?)0*(\d*?)0*$/.exec(N.replace('.', '')) ?? [];
  return Math.ceil(digits.length / 2) + 1 + sign.length;
}

const isItem = (map: unknown): map is StoredItem => typeof map === 'object';

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
