import type { Endpoint } from '../../../infra/local/http/http.ts';
import { readUnits, type StoredItem, writeUnits } from './capacity-units.ts';

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
      const total = (name: keyof Consumption) => used.reduce((sum, consumed) => sum + consumed[name], 0);
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
