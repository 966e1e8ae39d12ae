import {
  DescribeTableCommand,
  paginateListTables,
  ResourceNotFoundException,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import { copyPrefix, tableOutput, tablePrefix } from '../../../infra/stack-names.ts';
import { type TableId, tables } from '../../../shared/service.ts';
import type { TableDefinition } from '../../../shared/tables/table.ts';
import { all, type Clients } from './clients.ts';
import type { Stack } from './stack.ts';

/** A table; `table` is undefined if it does not exist. */
export interface TableState {
  readonly name: string;
  readonly table: TableDescription | undefined;
}

/** Whether a table does not exist, not yet again, or not any more in a moment: then a restore is the way back. */
export const isLost = ({ table }: TableState): boolean =>
  !table || table.TableStatus === 'CREATING' || table.TableStatus === 'DELETING';

/** A table that the stage uses, and others of its kind that the stage does not use. */
export interface UsedTable extends TableState {
  readonly id: TableId;
  readonly definition: TableDefinition;
  readonly others: readonly TableState[];
}

/** The table of API keys, which other roles may use than the others. */
export const keysId = 'apiKeys' satisfies TableId;

/**
 * Reads the tables that a stage uses, their copies, and those that an earlier stack has left. This clone may have
 * a table that is not deployed yet.
 */
export async function readTables(
  { dynamodb: client }: Clients,
  stage: string,
  outputs: Stack['outputs'],
): Promise<readonly UsedTable[]> {
  const readTable = async (TableName: string): Promise<TableState> => {
    const { Table: table } = await client
      .send(new DescribeTableCommand({ TableName }))
      .catch((error: unknown) => {
        if (error instanceof ResourceNotFoundException) return { Table: undefined };
        throw error;
      });
    return { name: TableName, table };
  };
  const names = await all(paginateListTables({ client }, {}), ({ TableNames }) => TableNames);
  const deployed = tables.flatMap((definition) => {
    const used = outputs[tableOutput(definition.id)];
    return used === undefined ? [] : [{ definition, used }];
  });
  return Promise.all(
    deployed.map(async ({ definition, used }) => {
      const { id } = definition;
      const prefixes = [tablePrefix(stage, id), `${copyPrefix(stage)}${id}-`];
      const others = names.filter(
        (name) => name !== used && prefixes.some((prefix) => name.startsWith(prefix)),
      );
      return { ...(await readTable(used)), id, definition, others: await Promise.all(others.map(readTable)) };
    }),
  );
}
