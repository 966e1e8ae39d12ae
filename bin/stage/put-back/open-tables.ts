import { setTimeout as pause } from 'node:timers/promises';
import {
  type AttributeDefinition,
  BatchGetItemCommand,
  DescribeTableCommand,
  DynamoDBClient,
  type KeySchemaElement,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import { copyPrefix, stagePattern, tableOutput, tablePrefix } from '../../../infra/stack-names.ts';
import { retentionDays } from '../../../shared/keys/api-key.ts';
import type { TableDefinition } from '../../../shared/tables/table.ts';
import { findStage, type StageChoice } from '../../cli/find-stage.ts';
import { idOf, isOfKeys, keyOf, type StoredItem } from './item.ts';

/** A table, in the account and region of its client. */
export interface OpenTable {
  readonly client: DynamoDBClient;
  readonly name: string;
}

interface Choice extends StageChoice {
  readonly definition: TableDefinition;
  readonly from: string;
  readonly fromRegion?: string;
}

export type OpenTables = Awaited<ReturnType<typeof openTables>>;

/**
 * Opens a table of a stage, and the copy to put back from.
 *
 * @throws {Error} unless both exist, differ, and have the same keys, if the copy is another stage's or another
 *   table's, or if a copy of API keys is too old
 */
export async function openTables({ definition, from, fromRegion, ...choice }: Choice) {
  const { name: stage, config, output } = await findStage(choice);
  // A table that is throttled takes more a little later.
  const patient = { ...config, maxAttempts: 10 };
  const client = new DynamoDBClient(patient);
  const isElsewhere = fromRegion !== undefined && fromRegion !== (await client.config.region());
  const table = { client, name: output(tableOutput(definition.id)) };
  const copy = {
    client: isElsewhere ? new DynamoDBClient({ ...patient, region: fromRegion }) : client,
    name: from,
    /** Whether it is in another region. */
    isElsewhere,
  };
  if (!isElsewhere && table.name === from) throw new Error(`${from} is the stage's own table: pass a copy.`);
  // A stage that was lost with its region had another name.
  assertCopy(from, isElsewhere ? stagePattern : stage, definition.id);
  const own = await describe(table);
  const other = await describe(copy);
  if (own.key !== other.key) {
    throw new Error(`${from} has the key ${other.key}, but ${table.name} has ${own.key}.`);
  }
  const oldest = Date.now() - retentionDays * 24 * 60 * 60 * 1000;
  if (isOfKeys(definition) && other.isOf && other.isOf.getTime() < oldest) {
    throw new Error(
      `${from} has keys of ${other.isOf.toISOString()}, and the table knows for ${retentionDays} days which were revoked: issue new keys.`,
    );
  }
  return { definition, stage, table, copy };
}

/** Checks that a name is one of a copy of a table, or of the table of an earlier stack. `stage` may be a pattern. */
function assertCopy(name: string, stage: string, id: string): void {
  const prefixes = [`${copyPrefix(stage)}${id}-`, tablePrefix(stage, id)];
  if (new RegExp(`^(?:${prefixes.join('|')})`).test(name)) return;
  throw new Error(`${name} is no copy of this table: the name of a copy begins with ${prefixes[0]}.`);
}

/**
 * Returns the key of a table as a text such as `id N`, and of when its items are, if DynamoDB says that it restored it.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_RestoreSummary.html
 */
async function describe({ client, name }: OpenTable) {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
  // While it is UPDATING, such as when it gets an index, it can be read and written.
  if (Table?.TableStatus !== 'ACTIVE' && Table?.TableStatus !== 'UPDATING') {
    throw new Error(`${name} is ${Table?.TableStatus}: wait until it is ACTIVE.`);
  }
  const { KeySchema = [], AttributeDefinitions = [] } = Table;
  const typeOf = ({ AttributeName: attribute }: KeySchemaElement) =>
    AttributeDefinitions.find(({ AttributeName }: AttributeDefinition) => AttributeName === attribute)
      ?.AttributeType;
  return {
    key: KeySchema.map((element) => `${element.AttributeName} ${typeOf(element)}`).join(', '),
    isOf: Table.RestoreSummary?.RestoreDateTime,
  };
}

/** The most items that DynamoDB returns for a list of keys. */
const pageSize = 100;

/** Reads all items of a table, page by page. */
export async function* allPages({ client, name }: OpenTable): AsyncGenerator<readonly StoredItem[]> {
  const scan = { TableName: name, Limit: pageSize };
  for await (const { Items = [] } of paginateScan({ client }, scan)) yield Items;
}

/** Reads the items that have these ids, page by page. */
export async function* pagesOf(
  { definition, copy }: OpenTables,
  ids: readonly string[],
): AsyncGenerator<readonly StoredItem[]> {
  for (let start = 0; start < ids.length; start += pageSize) {
    const keys = ids.slice(start, start + pageSize).map((id) => keyOf(definition, id));
    yield await readItems(
      copy,
      keys.filter((key) => key !== undefined),
    );
  }
}

/** Reads the items of the stage's table that have the keys of others, by their ids. */
export async function currentItems({ definition, table }: OpenTables, items: readonly StoredItem[]) {
  const keys = items.map((item) => keyOf(definition, idOf(definition, item)));
  const found = await readItems(
    table,
    keys.filter((key) => key !== undefined),
  );
  return new Map(found.map((item) => [idOf(definition, item), item]));
}

/** Reads at most 100 items consistently. DynamoDB may return only some of them at a time. */
async function readItems({ client, name }: OpenTable, keys: readonly StoredItem[]): Promise<StoredItem[]> {
  const items: StoredItem[] = [];
  let left = [...keys];
  while (left.length > 0) {
    const { Responses, UnprocessedKeys } = await client.send(
      new BatchGetItemCommand({ RequestItems: { [name]: { Keys: left, ConsistentRead: true } } }),
    );
    items.push(...(Responses?.[name] ?? []));
    left = UnprocessedKeys?.[name]?.Keys ?? [];
    if (left.length > 0) await pause(100);
  }
  return items;
}
