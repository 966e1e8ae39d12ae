import type { BackupSummary } from '@aws-sdk/client-dynamodb';
import { copyPrefix, tagsOf } from '../../infra/stack-names.ts';
import type { TableId } from '../../shared/service.ts';
import { readLastBackup, readRecovery, readTags, readTimeToLive } from './aws/table-settings.ts';
import { readTables, type TableState, type UsedTable } from './aws/tables.ts';
import { type Command, command } from './command.ts';
import { derive, type Fact, read, together } from './fact.ts';
import { deployedStack, type Reading, type Verb } from './read-stage.ts';
import { concluded, type Finding, finding, formatTime, type Step, step, tableText } from './report.ts';

interface Options {
  readonly table?: TableId;
  /** The time of the items to put back. */
  readonly to?: Date;
}

/** What is known of a table, the most urgent first. */
const urgency = ['lost', 'incomplete', 'copied', 'complete'] as const;

interface Known {
  readonly kind: (typeof urgency)[number];
  readonly findings: Fact<readonly Finding[]>;
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
    const known = (await Promise.all(chosen.map((used) => knownOf(reading, used, to)))).flat();
    const findings = known
      .toSorted((a, b) => urgency.indexOf(a.kind) - urgency.indexOf(b.kind))
      .flatMap(({ findings }) => concluded(findings));
    const id = chosen[0]?.id ?? '';
    const nothing = finding(
      'No table is lost, none lacks a setting, and there is no copy.',
      step(
        'restore',
        'if items are missing or wrong, make a copy of the time before, which changes nothing for clients',
        command`npm run stage -- restore ${stage} --table ${id} --to <time, such as ${now.toISOString().slice(0, 16)}Z>`,
      ),
    );
    return {
      findings: findings.length > 0 ? findings : [nothing],
      because: Object.fromEntries(chosen.map((used) => [used.id, figures(used)])),
    };
  },
};

async function knownOf(reading: Reading, used: UsedTable, to: Date | undefined): Promise<readonly Known[]> {
  if (used.table?.TableStatus === 'CREATING') {
    const wait = finding(`${used.name} is being restored, which can take hours.`, noDeploy(used));
    return [{ kind: 'lost', findings: read([wait]) }];
  }
  if (!used.table) return [await lost(reading, used)];
  return Promise.all([incomplete(reading, used), copied(reading, used, to)]);
}

const noDeploy = ({ id }: UsedTable): Step => ({
  text: `approve no deploy until the table of ${id} is back, with all that this command then names`,
});

/** CloudFormation goes on with a table of the same name: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_RestoreTableFromBackup.html */
async function lost({ clients, attempt }: Reading, used: UsedTable): Promise<Known> {
  const { name } = used;
  const backup = await attempt(`backups of ${name}`, {}, () => readLastBackup(clients, name));
  return { kind: 'lost', findings: derive(backup, (last) => [lostFinding(used, last)]) };
}

function lostFinding(used: UsedTable, last: BackupSummary | undefined): Finding {
  const { name } = used;
  const { BackupArn, BackupCreationDateTime: at, BackupStatus } = last ?? {};
  if (!BackupArn || !at) {
    return finding(
      `${name} does not exist any more, and DynamoDB has no backup of it.`,
      { text: 'restore a copy of AWS Backup under the same name: docs/restore.md#dynamodb-has-no-backup' },
      noDeploy(used),
    );
  }
  const says = `${name} does not exist any more. Its last backup, of ${formatTime(at)},`;
  if (BackupStatus !== 'AVAILABLE') return finding(`${says} is ${BackupStatus}.`, noDeploy(used));
  return finding(
    `${says} has all items.`,
    step(
      'restore',
      'restore it under the same name',
      command`aws dynamodb restore-table-from-backup --backup-arn ${BackupArn} --target-table-name ${name}`,
    ),
    noDeploy(used),
  );
}

/** Finds what a restore does not bring back, whether there was one or not. */
async function incomplete(reading: Reading, used: UsedTable): Promise<Known> {
  const { stage, settings, clients, attempt } = reading;
  const { name, table, definition } = used;
  const arn = table?.TableArn ?? '';
  const [recovery, timeToLive, tags] = await Promise.all([
    attempt(`point-in-time recovery of ${name}`, {}, () => readRecovery(clients, name)),
    definition.timeToLive === undefined
      ? read(undefined)
      : attempt(`time to live of ${name}`, {}, () => readTimeToLive(clients, name)),
    attempt(`tags of ${name}`, {}, () => readTags(clients, arn)),
  ]);
  const findings = derive(together({ recovery, timeToLive, tags }), (found) => {
    const missingTags = Object.entries(tagsOf(stage)).filter(([key, value]) => found.tags.get(key) !== value);
    const pairs = missingTags.map(([key, value]) => `Key=${key},Value=${value}`);
    const commands: (readonly [what: string, command: Command])[] = [];
    if (found.timeToLive !== definition.timeToLive) {
      const specification = `Enabled=true,AttributeName=${definition.timeToLive}`;
      commands.push([
        'time to live',
        command`aws dynamodb update-time-to-live --table-name ${name} --time-to-live-specification ${specification}`,
      ]);
    }
    if (pairs.length > 0) {
      commands.push(['tags', command`aws dynamodb tag-resource --resource-arn ${arn} --tags ${pairs}`]);
    }
    if (!found.recovery.isOn) {
      commands.push([
        'point-in-time recovery',
        command`aws dynamodb update-continuous-backups --table-name ${name} --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true`,
      ]);
    }
    const isOpen = settings.hasDeletionProtection && !table?.DeletionProtectionEnabled;
    const names = [...commands.map(([what]) => what), ...(isOpen ? ['deletion protection'] : [])];
    if (names.length === 0) return [];
    return [
      finding(
        `${name} lacks what a restore does not bring back: ${names.join(', ')}.`,
        ...(commands.length > 0 ? [step('restore', 'add it', ...commands.map(([, line]) => line))] : []),
        ...(isOpen
          ? [
              step(
                'administrator',
                'protect it from deletion',
                command`aws dynamodb update-table --table-name ${name} --deletion-protection-enabled`,
              ),
            ]
          : []),
      ),
    ];
  });
  return { kind: 'incomplete', findings };
}

/** Finds the copies to put items back from, of any time or of one. */
async function copied(reading: Reading, used: UsedTable, to: Date | undefined): Promise<Known> {
  const { stage, clients, attempt } = reading;
  const { id, name } = used;
  const copies = copiesOf(reading, used).filter(
    (copy) => to === undefined || timeOf(copy)?.getTime() === to.getTime(),
  );
  if (!to || copies.length > 0) {
    return { kind: 'copied', findings: read(copies.map((copy) => copyFinding(stage, id, copy))) };
  }
  const recovery = await attempt(`point-in-time recovery of ${name}`, {}, () => readRecovery(clients, name));
  return {
    kind: 'copied',
    findings: derive(recovery, (range) => [copyingFinding(reading, used, to, range)]),
  };
}

const copiesOf = ({ stage }: Reading, { others }: UsedTable) =>
  others.filter(({ name, table }) => table && name.startsWith(copyPrefix(stage)));

/**
 * Returns of which time a table's items are:
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_RestoreSummary.html
 */
const timeOf = ({ table }: TableState) => table?.RestoreSummary?.RestoreDateTime;

function copyFinding(stage: string, id: string, copy: TableState): Finding {
  const time = timeOf(copy);
  const says = `${copy.name} is a copy of ${id}${time ? ` of ${formatTime(time)}` : ''}`;
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

function copyingFinding(
  { stage, now }: Reading,
  { id, name }: UsedTable,
  to: Date,
  { earliest, latest }: Awaited<ReturnType<typeof readRecovery>>,
): Finding {
  if (!earliest || !latest || to < earliest || to > latest) {
    const range = earliest && latest ? `from ${formatTime(earliest)} to ${formatTime(latest)}` : 'of no time';
    return finding(`DynamoDB can make copies of ${name} ${range}.`, {
      text: 'choose another time, or restore a copy of AWS Backup: docs/restore.md#pets-are-missing-or-wrong',
    });
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

function figures({ others, ...used }: UsedTable): readonly string[] {
  return [
    `in use: ${tableText(used)}`,
    ...others.map((other) => {
      const time = timeOf(other);
      return `not in use${time ? `, items of ${formatTime(time)}` : ''}: ${tableText(other)}`;
    }),
  ];
}
