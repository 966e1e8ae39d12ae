import { paginateScan, type QueryCommand, type ScanCommand } from '@aws-sdk/lib-dynamodb';
import { encodeCursor } from '../../shared/contract/schemas/page-cursor.ts';
import { pageSize } from '../../shared/contract/schemas/page-query.ts';
import { invoke } from '../support/functions/invoke.ts';
import { setUpWorkbench } from './workbench.ts';

/** Fills the table to each size in turn, and returns what pages of lists consume at each. */
export async function measureGrowth(sizes: readonly number[]) {
  using workbench = await setUpWorkbench();
  Object.assign(process.env, workbench.functions['list-pets'].environment, {
    AWS_ENDPOINT_URL: workbench.plainEndpoint,
  });
  const { handler } = await import('../../functions/list-pets.ts');
  const { dynamodb } = await import('../../shared/lambda/dynamodb.ts');
  let consumed = {};
  const { send } = dynamodb;
  async function meteredSend(command: QueryCommand | ScanCommand) {
    command.input.ReturnConsumedCapacity = 'TOTAL';
    const output = await send(command);
    consumed = { readUnits: output.ConsumedCapacity?.CapacityUnits, itemsRead: output.ScannedCount };
    return output;
  }
  Object.assign(dynamodb, { send: meteredSend });

  const costs = [];
  for (const pets of sizes) {
    await workbench.addPets(pets);
    for (const status of [undefined, 'available'] as const) {
      const ids = await listIds(workbench, status);
      for (const limit of [pageSize.default, pageSize.maximum]) {
        for (const [page, after] of Object.entries(pageStarts(ids, limit))) {
          const cursor = after && encodeCursor(`${after}`, { status });
          const query = { limit: `${limit}`, ...(status && { status }), ...(cursor && { cursor }) };
          await invoke(handler, { query: `${new URLSearchParams(query)}` });
          costs.push({ status: status ?? 'any', limit, page, pets, ...consumed });
        }
      }
    }
  }
  return costs;
}

type Workbench = Awaited<ReturnType<typeof setUpWorkbench>>;

/** Returns the ids of a list's pets, in its order. */
async function listIds({ dynamodb: client, petsTable: TableName }: Workbench, status: string | undefined) {
  const pages = await Array.fromAsync(paginateScan({ client }, { TableName }));
  const pets = pages.flatMap(({ Items = [] }) => Items);
  const ids: bigint[] = pets.filter((pet) => !status || pet['status'] === status).map(({ id }) => id);
  return status ? ids.sort((a, b) => (a < b ? -1 : 1)) : ids;
}

/** Returns the id after which each page starts; the last page is full, if there are enough pets. */
const pageStarts = (ids: readonly bigint[], limit: number) => ({
  first: undefined,
  middle: ids[Math.floor((ids.length - limit) / 2) - 1],
  last: ids.at(-1 - limit),
});
