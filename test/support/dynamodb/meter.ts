import type { Endpoint } from '../../../bin/local-api/http/read-request.ts';

/** An item as DynamoDB's API has it, each value such as `{ S: 'Bella' }`. */
type StoredItem = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** What requests to DynamoDB took. */
export interface Consumption {
  readonly calls: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

/** The parts of a call that its units depend on. */
interface Call {
  readonly TableName: string;
  readonly ConsistentRead?: boolean;
  readonly Item?: StoredItem;
}

/** The parts of a response, or of an error, that the units of its call depend on. */
interface Response {
  readonly __type?: string;
  readonly Item?: StoredItem;
  readonly Items?: readonly StoredItem[];
  readonly Count?: number;
  readonly ScannedCount?: number;
}

/**
 * Puts a meter in front of an embedded DynamoDB, which sees each attempt of any client. `indexesOf` returns how
 * many indexes a table has, all with all attributes.
 */
export function meter(dynamodb: Endpoint, indexesOf: (table: string) => number) {
  let used: Consumption[] = [];
  const endpoint: Endpoint = async (request) => {
    const response = await dynamodb(request);
    const operation = `${request.headers['x-amz-target']?.[0]}`.replace(/^.*\./, '');
    used.push(unitsOf(operation, JSON.parse(`${request.body}`), JSON.parse(`${response.body}`), indexesOf));
    return response;
  };
  return {
    endpoint,

    /** Returns what was used since the last call of this function. */
    read(): Consumption {
      const total = (name: keyof Consumption) => sumOf(used.map((consumed) => consumed[name]));
      const consumption = {
        calls: total('calls'),
        readUnits: total('readUnits'),
        writeUnits: total('writeUnits'),
      };
      used = [];
      return consumption;
    },
  };
}

function unitsOf(
  operation: string,
  call: Call,
  response: Response,
  indexesOf: (table: string) => number,
): Consumption {
  const { Items = [], Count, ScannedCount, Item } = response;
  const one = { calls: 1, readUnits: 0, writeUnits: 0 };
  // A failed condition takes what a write of the existing item would take, and no index is written.
  if (response.__type?.endsWith('ConditionalCheckFailedException')) {
    return { ...one, writeUnits: writeUnits(Item) };
  }
  if (response.__type) throw new Error(`DynamoDB rejected ${operation}: ${response.__type}`);
  if (operation === 'GetItem')
    return { ...one, readUnits: readUnits(Item ? [Item] : [], call.ConsistentRead) };
  if (operation === 'PutItem') {
    return { ...one, writeUnits: writeUnits(call.Item) * (1 + indexesOf(call.TableName)) };
  }
  const isRead = (operation === 'Query' || operation === 'Scan') && Count === ScannedCount;
  if (!isRead) throw new Error(`Teach the meter what ${operation} takes.`);
  return { ...one, readUnits: readUnits(Items, call.ConsistentRead) };
}

/**
 * Returns the units that a read takes, for the sum of what it reads: half if it is eventually consistent.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
 */
const readUnits = (items: readonly StoredItem[], isConsistent = false): number =>
  Math.max(1, Math.ceil(sumOf(items.map(itemSize)) / 4096)) / (isConsistent ? 1 : 2);

/** Returns the units that a write of an item takes in a table, or in an index with all attributes. */
const writeUnits = (item: StoredItem = {}): number => Math.max(1, Math.ceil(itemSize(item) / 1024));

/**
 * Returns the size of an item in bytes. An embedded DynamoDB would count UTF-16, where AWS counts UTF-8.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
const itemSize = (item: StoredItem): number =>
  sumOf(Object.entries(item).map(([name, value]) => Buffer.byteLength(name) + valueSize(value)));

function valueSize({ S, N, B, L }: StoredItem[string]): number {
  if (typeof S === 'string') return Buffer.byteLength(S);
  if (typeof B === 'string') return Buffer.from(B, 'base64').length;
  if (Array.isArray(L)) return 3 + sumOf(L.map((element) => 1 + valueSize(element)));
  if (typeof N !== 'string') throw new Error('Add the size of this type of value.');
  const [, sign = '', digits = ''] = /^(-?)0*(\d*?)0*$/.exec(N.replace('.', '')) ?? [];
  return Math.ceil(digits.length / 2) + 1 + sign.length;
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
