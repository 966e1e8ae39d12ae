import { tableOutput, tablePrefixes } from '../../infra/stack-names.ts';
import { type TableId, tables } from '../../shared/service.ts';
import type { TableDefinition } from '../../shared/tables/table.ts';
import { type Clients, readTable, readTableNames, type Stack } from './aws.ts';

export type TableState = Awaited<ReturnType<typeof readTable>>;

/** A table that the stage uses, and others of its kind that the stage does not use. */
export interface UsedTable extends TableState {
  readonly id: TableId;
  readonly definition: TableDefinition;
  readonly others: readonly TableState[];
}

/** The table of API keys, which other roles may use than the others. */
export const keysId = 'apiKeys' satisfies TableId;

/** Reads the tables that a stage uses, and those that it could have used before, or could use. */
export async function readUsedTables(
  clients: Clients,
  stage: string,
  outputs: Stack['outputs'],
): Promise<readonly UsedTable[]> {
  return Promise.all(
    tables.map(async (definition) => {
      const { id } = definition;
      const name = outputs[tableOutput(id)] ?? '';
      const names = await readTableNames(clients, tablePrefixes(stage, id));
      const others = names.filter((other) => other !== name).map((other) => readTable(clients, other));
      const used = await readTable(clients, name);
      return { ...used, id, definition, others: await Promise.all(others) };
    }),
  );
}
