import { copyPrefix } from '../../../infra/stack-names.ts';
import { readRecovery } from '../aws/table-settings.ts';
import type { TableState, UsedTable } from '../aws/tables.ts';
import { command } from '../command.ts';
import { derive, type Fact, read } from '../fact.ts';
import type { Reading } from '../read-stage.ts';
import { type Finding, finding, formatTime, step } from '../report.ts';

/** Says which copies of a table there are to put items back from, or how to make one of a time. */
export async function copies(
  reading: Reading,
  used: UsedTable,
  to: Date | undefined,
): Promise<Fact<readonly Finding[]>> {
  const { stage, clients, attempt } = reading;
  const { name, others } = used;
  const found = others.filter(
    (other) =>
      other.table &&
      other.name.startsWith(copyPrefix(stage)) &&
      (to === undefined || restoredTo(other)?.getTime() === to.getTime()),
  );
  if (!to || found.length > 0) return read(found.map((copy) => next(stage, used, copy)));
  const recovery = await attempt(`point-in-time recovery of ${name}`, {}, () => readRecovery(clients, name));
  return derive(recovery, (range) => [make(reading, used, to, range)]);
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_RestoreSummary.html */
const restoredTo = ({ table }: TableState) => table?.RestoreSummary?.RestoreDateTime;

/** Says of which time the items of a table are, if it is a copy. */
export function timeOf(state: TableState): string {
  const time = restoredTo(state);
  return time ? ` (items of ${formatTime(time)})` : '';
}

function next(stage: string, { id }: UsedTable, copy: TableState): Finding {
  const says = `${copy.name} is a copy of ${id}${timeOf(copy)}`;
  const status = copy.table?.TableStatus;
  if (status !== 'ACTIVE') return finding(`${says}, and is ${status}: this can take hours.`);
  return finding(
    `${says}.`,
    step(
      'restore',
      'put items back from it. The command asks before it writes, and at its end whether to delete the copy',
      command`npm run put-back -- ${stage} ${id} --from ${copy.name}`,
    ),
  );
}

function make(
  { stage, now }: Reading,
  { id, name }: UsedTable,
  to: Date,
  { earliest, latest }: Awaited<ReturnType<typeof readRecovery>>,
): Finding {
  if (!earliest || !latest || to < earliest || to > latest) {
    const range = earliest && latest ? `from ${formatTime(earliest)} to ${formatTime(latest)}` : 'of no time';
    return finding(
      `DynamoDB can make copies of ${name} ${range}.`,
      step(
        'restore',
        'choose another time, or restore a copy of AWS Backup, or what this lists if the table was deleted and created again: bin/stage/restore.md#pets-are-missing-or-wrong',
        command`aws dynamodb list-backups --backup-type SYSTEM --table-name ${name}`,
      ),
    );
  }
  const copy = `${copyPrefix(stage)}${id}-${now.toISOString().replaceAll(/\D/g, '').slice(0, 12)}`;
  return finding(
    `There is no copy of ${name} of ${formatTime(to)}.`,
    step(
      'restore',
      'make one beside it, which changes nothing for clients',
      command`aws dynamodb restore-table-to-point-in-time --source-table-name ${name} --restore-date-time ${to.toISOString()} --target-table-name ${copy}`,
    ),
  );
}
