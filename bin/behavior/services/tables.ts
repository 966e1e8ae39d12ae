import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import {
  type AttributeValue,
  BatchWriteItemCommand,
  DescribeTableCommand,
  DynamoDBClient,
  paginateScan,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { awsEndpointPath } from '../../local-api/aws-endpoint.ts';
import { operatorClientConfig } from '../../local-api/template/account.ts';

type Item = Record<string, AttributeValue>;

/** The items of all tables, by the output of the stack that names the table. */
export type Items = ReadonlyMap<string, readonly Item[]>;

export type Tables = Awaited<ReturnType<typeof openTables>>;

/** The most writes that DynamoDB takes in one call. */
const batchSize = 25;

/** Opens the tables of a local API, for an operator. Any version has them, perhaps under other names. */
export async function openTables(port: number) {
  const config = operatorClientConfig(`http://127.0.0.1:${port}${awsEndpointPath}`);
  const dynamodb = new DynamoDBClient(config);
  const { Stacks } = await new CloudFormationClient(config).send(new DescribeStacksCommand());
  const outputs = Stacks?.[0]?.Outputs ?? [];
  const names = new Map(
    outputs
      .filter(({ OutputKey }) => OutputKey?.endsWith('TableName'))
      .map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
  );

  async function itemsOf(TableName: string): Promise<Item[]> {
    const pages = await Array.fromAsync(paginateScan({ client: dynamodb }, { TableName }));
    return pages.flatMap(({ Items = [] }) => Items);
  }

  async function write(name: string, requests: readonly WriteRequest[]): Promise<void> {
    for (let start = 0; start < requests.length; start += batchSize) {
      const RequestItems = { [name]: requests.slice(start, start + batchSize) };
      await dynamodb.send(new BatchWriteItemCommand({ RequestItems }));
    }
  }

  async function remove(TableName: string, isRemoved: (item: Item) => boolean): Promise<void> {
    const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName }));
    const keys = Table?.KeySchema?.map(({ AttributeName }) => AttributeName) ?? [];
    const keyOf = (item: Item) =>
      Object.fromEntries(Object.entries(item).filter(([name]) => keys.includes(name)));
    const removed = (await itemsOf(TableName)).filter(isRemoved);
    const requests = removed.map((item) => ({ DeleteRequest: { Key: keyOf(item) } }));
    await write(TableName, requests);
  }

  return {
    /** Returns everything that is stored, as it is stored. */
    async read(): Promise<Items> {
      const items = new Map<string, readonly Item[]>();
      for (const [output, name] of names) items.set(output, await itemsOf(name));
      return items;
    },

    /** Replaces everything that is stored, except in tables that the items do not name. */
    async replace(items: Items): Promise<void> {
      for (const [output, name] of names) {
        const replacements = items.get(output);
        if (!replacements) continue;
        await remove(name, () => true);
        const requests = replacements.map((Item) => ({ PutRequest: { Item } }));
        await write(name, requests);
      }
    },

    /** Removes the items with an id. */
    async removeId(id: string): Promise<void> {
      for (const name of names.values()) await remove(name, (item) => item['id']?.N === id);
    },
  };
}
