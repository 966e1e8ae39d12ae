import { randomUUID } from 'node:crypto';
import { BatchWriteItemCommand, DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { afterAll } from 'vitest';
import { copyPrefix, tableOutput, tablePrefix } from '../../../../../infra/stack-names.ts';
import { namesOf, type TableDefinition } from '../../../../../shared/tables/table.ts';
import { declaredTable } from '../../../../../test/support/dynamodb/declared-table.ts';
import { createTables } from '../../../../../test/support/setup/create-tables.ts';
import { startDynamodb } from '../../../../../test/support/setup/start-dynamodb.ts';
import { dynaliteTables } from '../../../../local-api/dynamodb/dynalite-tables.ts';
import { embeddedDynamodb } from '../../../../local-api/dynamodb/embedded-dynamodb.ts';
import { operatorClientConfig } from '../../../../local-api/template/account.ts';
import type { Dialog } from '../../../put-back/dialog.ts';
import type { Ids } from '../../../put-back/id-file.ts';
import { idOf, type StoredItem } from '../../../put-back/item.ts';
import { openTables } from '../../../put-back/open-tables.ts';
import { putItemsBack } from '../../../put-back/put-items-back.ts';

/** Opens a stage with an embedded DynamoDB, for the tests of a file. `onCall` gets each operation's name. */
export async function openStage(onCall: (operation: string) => void = () => undefined) {
  const stack = { name: 'PetStore-staging', outputs: {} };
  const dynamodb = embeddedDynamodb(dynaliteTables());
  const { endpoint, port, close } = await startDynamodb(stack, (request) => {
    onCall(`${request.headers['x-amz-target']}`.replace(/^.*\./, ''));
    return dynamodb(request);
  });
  const client = new DynamoDBClient(operatorClientConfig(endpoint));
  afterAll(async () => {
    client.destroy();
    await close();
  });

  /** Creates a table of the stage and a copy of it, with these items. */
  async function create(
    definition: TableDefinition,
    own: readonly StoredItem[],
    copied: readonly StoredItem[],
  ) {
    const name = `${tablePrefix('staging', definition.id)}${randomUUID()}`;
    const from = `${copyPrefix('staging')}${definition.id}-${randomUUID()}`;
    Object.assign(stack.outputs, { [tableOutput(definition.id)]: name });
    const indexes = Object.entries(definition.indexes).map(([index, key]) => [index, namesOf(key)]);
    const declare = (id: string) =>
      declaredTable(id, definition.keyTypes, namesOf(definition.key), Object.fromEntries(indexes));
    await createTables(client, [declare(name), declare(from)]);
    await fill(name, own);
    await fill(from, copied);
    return {
      name,
      from,
      open: (copy = from) => openTables({ stage: 'local', port, definition, from: copy }),
    };
  }

  async function fill(name: string, items: readonly StoredItem[]): Promise<void> {
    for (let start = 0; start < items.length; start += 25) {
      const puts = items.slice(start, start + 25).map((Item) => ({ PutRequest: { Item: { ...Item } } }));
      await client.send(new BatchWriteItemCommand({ RequestItems: { [name]: puts } }));
    }
  }

  /** Returns the items of a table by their ids, without what each write changes. */
  async function itemsOf(definition: TableDefinition, name: string) {
    const pages = await Array.fromAsync(paginateScan({ client }, { TableName: name }));
    return Object.fromEntries(
      pages.flatMap(({ Items = [] }) =>
        Items.map(({ lastWrite: _, ...item }) => [idOf(definition, item), item] as const),
      ),
    );
  }

  return { client, port, endpoint, create, fill, itemsOf };
}

type Tables = Awaited<ReturnType<typeof openTables>>;
type Choice = Parameters<typeof putItemsBack>[1];

interface Answers {
  readonly write?: string | (() => Promise<string>);
  readonly remove?: string;
}

/** Puts items back, answering whether to write and whether to remove the copy. */
export async function putBack(
  tables: Tables,
  choice: Partial<Choice> = {},
  { write = 'yes', remove = 'no' }: Answers = {},
) {
  const said: string[] = [];
  const asked: string[] = [];
  const saved: Partial<Record<'different' | 'deleted', Ids>> = {};
  const dialog: Dialog = {
    async say(text) {
      said.push(text);
    },
    save(kind, ids) {
      saved[kind] = ids;
      return `${kind}.txt`;
    },
    async ask(question) {
      asked.push(question);
      if (question.startsWith('Delete')) return remove;
      return typeof write === 'string' ? write : write();
    },
    watch: (_total, work) => work(async () => undefined),
  };
  const exitCode = await putItemsBack(
    tables,
    { except: new Map(), only: undefined, overwrite: undefined, rate: 500, ...choice },
    dialog,
  );
  return { exitCode, said, asked, saved };
}
