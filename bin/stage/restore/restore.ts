import type { TableId } from '../../../shared/service.ts';
import { isLost, readTables, type UsedTable } from '../aws/tables.ts';
import { command } from '../command.ts';
import { type Fact, read } from '../fact.ts';
import { deployedStack, type Reading, type Verb } from '../read-stage.ts';
import { concluded, type Finding, finding, step, tableText } from '../report.ts';
import { copies, timeOf } from './copies.ts';
import { lostTable } from './lost-table.ts';
import { missingSettings } from './missing-settings.ts';

interface Options {
  readonly table?: TableId;
  /** The time of the items to put back. */
  readonly to?: Date;
}

/** Says which tables are lost, what they lack, and which copies there are, each with the next step. */
export const restore: Verb<Options> = {
  role: 'restore',
  run: async (reading, { table, to }) => {
    const { stage, clients, attempt, now } = reading;
    const tables = await attempt('tables', { stack: deployedStack(reading) }, ({ stack }) =>
      readTables(clients, stage, stack.outputs),
    );
    if (!tables.isRead) return { findings: concluded(tables), because: {} };
    const chosen = tables.value.filter(({ id }) => table === undefined || table === id);
    if (chosen.length === 0) throw new Error(`${stage} has no table ${table ?? ''} yet.`);
    const facts = await Promise.all(chosen.map((used) => factsOf(reading, used, to)));
    const urgentFirst = [
      ...facts.map(({ lost }) => lost),
      ...facts.map(({ incomplete }) => incomplete),
      ...facts.map(({ copied }) => copied),
    ];
    const findings = urgentFirst.flatMap(concluded);
    const nothing = finding(
      'No table is lost, none lacks a setting, and there is no copy.',
      step(
        'restore',
        'if items are missing or wrong, make a copy of the time before, which changes nothing for clients',
        command`npm run stage -- restore ${stage} --table ${chosen[0]?.id ?? ''} --to <time, such as ${now.toISOString().slice(0, 16)}Z>`,
      ),
    );
    return {
      findings: findings.length > 0 ? findings : [nothing],
      because: Object.fromEntries(chosen.map((used) => [used.id, figures(used)])),
    };
  },
};

async function factsOf(reading: Reading, used: UsedTable, to: Date | undefined) {
  const none: Fact<readonly Finding[]> = read([]);
  if (isLost(used)) return { lost: await lostTable(reading, used), incomplete: none, copied: none };
  const [incomplete, copied] = await Promise.all([missingSettings(reading, used), copies(reading, used, to)]);
  return { lost: none, incomplete, copied };
}

function figures({ others, ...used }: UsedTable): readonly string[] {
  return [
    `in use: ${tableText(used)}`,
    ...others.map((other) => `not in use${timeOf(other)}: ${tableText(other)}`),
  ];
}
