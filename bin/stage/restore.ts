import { GetStageCommand } from '@aws-sdk/client-api-gateway';
import {
  type BackupSummary,
  DescribeContinuousBackupsCommand,
  ListBackupsCommand,
} from '@aws-sdk/client-dynamodb';
import { operationSettings } from '../../infra/settings/limits-and-permissions.ts';
import { restoredTablePrefix, tagsOf } from '../../infra/stack-names.ts';
import { apiVersion, type OperationId, operations, type TableId } from '../../shared/service.ts';
import type { Clients } from './aws/clients.ts';
import { before } from './aws/logs.ts';
import type { Stack } from './aws/stack.ts';
import { keysId, readTables, type TableState, type UsedTable } from './aws/tables.ts';
import { type Command, command } from './command.ts';
import { deployByHand, setTable } from './deploys.ts';
import type { Fact } from './fact.ts';
import { deployedStack, type Reading, type Verb } from './read-stage.ts';
import { type Finding, finding, formatTime, type Step, step, tableText } from './report.ts';

interface Options {
  readonly table?: TableId;
  /** The time to restore to. */
  readonly to?: Date;
}

/** What is known of a table that the stage uses, and of its restore. What could not be read is undefined. */
type Facts = Awaited<ReturnType<typeof read>>;

/** For how long a restore may take, with the decision to use its table. */
const restoreMinutes = 7 * 24 * 60;

/** Says where a stage's tables stand, and the next step of a restore. */
export const restore: Verb<Options> = {
  role: 'restore',
  run: async (reading, { table, to }) => {
    const { stage, clients, attempt, now } = reading;
    const stack = deployedStack(reading);
    const used = shown(
      await attempt('tables', { stack }, ({ stack }) => readTables(clients, stage, stack.outputs)),
    );
    const stopped = shown(await attempt('limits', { stack }, ({ stack }) => readStopped(clients, stack)));
    const chosen = used?.filter(({ id }) => table === undefined || table === id) ?? [];
    const all = await Promise.all(chosen.map((own) => read(own, reading, to, stopped)));
    const [next] = [
      ...all.flatMap((facts) => nextFor(facts) ?? []),
      ...all.flatMap((facts) => remind(facts) ?? []),
    ];
    if (!used) {
      return {
        findings: [finding('The tables could not be read, so the figures allow no conclusion.')],
        because: {},
      };
    }
    const nothing = finding(
      'No table is lost, and no restore is in progress.',
      restoring(
        'to restore a table all the same, let the product owner choose the time: what was written later is lost',
        command`npm run stage -- restore ${stage} --table ${chosen[0]?.id ?? ''} --to <time, such as ${now.toISOString().slice(0, 16)}Z>`,
      ),
    );
    return {
      findings: [next ?? nothing],
      because: Object.fromEntries(all.map((facts) => [facts.id, figures(facts)])),
    };
  },
};

const shown = <T>(fact: Fact<T>) => (fact.isRead ? fact.value : undefined);

async function read(
  table: UsedTable,
  reading: Reading,
  chosen: Date | undefined,
  stopped: readonly OperationId[] = [],
) {
  const { stage, settings, now, clients, attempt } = reading;
  const { id, name, others } = table;
  const lastBackup = table.table
    ? undefined
    : shown(await attempt('last backup', {}, () => readLastBackup(clients, name)));
  // A copy from before the loss, or of an earlier restore, misses what was written later.
  const earliest = lastBackup?.BackupCreationDateTime ?? before(now, restoreMinutes).from;
  const prefix = restoredTablePrefix(stage);
  const isRestored = name.startsWith(prefix);
  // Only a table that exists can be restored to a time of choice.
  const to = table.table && chosen;
  const isOfThen = (state: TableState) => to === undefined || timeOf(state)?.getTime() === to.getTime();
  const isWanted = !isOfThen(table) || !table.table;
  /** The table in the settings of this clone. */
  const setting = settings.restoredTables?.[id];
  const copies = others.filter(
    (state) =>
      isWanted &&
      state.name.startsWith(prefix) &&
      (state.table?.CreationDateTime ?? now) >= earliest &&
      isOfThen(state),
  );
  /** What the stage is to use: other copies are only read. */
  const restored = copies.find(({ name: copy }) => copy === setting) ?? copies.at(-1);
  const backupsOf = async (state: TableState | undefined) =>
    state?.table?.TableStatus === 'ACTIVE'
      ? shown(await attempt(`backups of ${state.name}`, {}, () => readBackups(clients, state.name)))
      : undefined;
  return {
    ...reading,
    stack: shown(reading.stack),
    ...table,
    isWanted,
    to,
    isRestored,
    restored,
    lastBackup,
    backups: await backupsOf(table),
    restoredBackups: await backupsOf(restored),
    setting,
    writers: writersOf(id).map((writer) => ({ ...writer, isStopped: stopped.includes(writer.operationId) })),
  };
}

/**
 * Returns the time to which a table was restored:
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_RestoreSummary.html
 */
const timeOf = ({ table }: TableState) => table?.RestoreSummary?.RestoreDateTime;

/** Reads which operations API Gateway lets no request through to. */
async function readStopped(clients: Clients, stack: Stack): Promise<readonly OperationId[]> {
  const restApiId = stack.idOf('AWS::ApiGateway::RestApi');
  const get = new GetStageCommand({ restApiId, stageName: apiVersion });
  const { methodSettings = {} } = await clients.apiGateway.send(get);
  return Object.values(operations)
    .filter(({ path, method }) => {
      // pets/POST, where ~1 may stand for a slash.
      const names = [path.slice(1), path.replaceAll('/', '~1')];
      return names.some((name) => methodSettings[`${name}/${method}`]?.throttlingRateLimit === 0);
    })
    .map(({ operationId }) => operationId);
}

/** Reads whether a table has backups, and to when it can be restored. */
async function readBackups({ dynamodb }: Clients, TableName: string) {
  const { ContinuousBackupsDescription: backups } = await dynamodb.send(
    new DescribeContinuousBackupsCommand({ TableName }),
  );
  const { PointInTimeRecoveryStatus: status, ...recovery } = backups?.PointInTimeRecoveryDescription ?? {};
  const { EarliestRestorableDateTime: earliest, LatestRestorableDateTime: latest } = recovery;
  return { isOn: status === 'ENABLED', earliest, latest };
}

/** Reads the backup that DynamoDB made when a table was deleted. */
async function readLastBackup({ dynamodb }: Clients, TableName: string) {
  const found: BackupSummary[] = [];
  for (let ExclusiveStartBackupArn: string | undefined; ; ) {
    const page = await dynamodb.send(
      new ListBackupsCommand({
        TableName,
        BackupType: 'SYSTEM',
        ...(ExclusiveStartBackupArn && { ExclusiveStartBackupArn }),
      }),
    );
    found.push(...(page.BackupSummaries ?? []));
    ExclusiveStartBackupArn = page.LastEvaluatedBackupArn;
    if (ExclusiveStartBackupArn === undefined) break;
  }
  const time = ({ BackupCreationDateTime: at }: BackupSummary) => at?.getTime() ?? 0;
  return found.toSorted((a, b) => time(b) - time(a))[0];
}

function figures({ restored, others, backups, setting, ...used }: Facts): readonly string[] {
  const range =
    backups?.earliest && backups.latest
      ? `; can be restored to any time from ${formatTime(backups.earliest)} to ${formatTime(backups.latest)}`
      : '';
  return [
    `in use: ${tableText(used)}${range}`,
    ...others.map((other) => {
      const time = timeOf(other);
      const use = other.name === restored?.name ? 'restored' : 'not in use';
      return `${use}${time ? `, items of ${formatTime(time)}` : ''}: ${tableText(other)}`;
    }),
    `in infra/settings/stages.ts of this clone: ${setting ?? 'no restored table'}`,
  ];
}

const restoring = (text: string, ...commands: Command[]) => step('restore', text, ...commands);

/** Returns the next step of a restore, or undefined if there is none. */
function nextFor(facts: Facts): Finding | undefined {
  const { restored, isWanted, isRestored, restoredBackups, backups } = facts;
  if (restored)
    return (restoredBackups?.isOn === false && addBackups(facts, restored)) || use(facts, restored);
  if (isWanted) return begin(facts);
  if (!isRestored) return allowAgain(facts, 'No table is lost');
  return (backups?.isOn === false && addBackups(facts, facts)) || finish(facts);
}

/** Nothing has been restored yet. */
function begin(facts: Facts): Finding {
  const { id, name, table, stage, now, to, lastBackup, backups, writers } = facts;
  const state = `${name} ${table ? 'is to be restored' : 'does not exist any more'}`;
  const writing = writers.filter(({ isStopped }) => !isStopped);
  if (writing.length > 0) {
    const stop = limitCommand(facts, writing, true);
    return finding(
      `${state}, and clients may still write.`,
      restoring('stop what writes: clients get a 429, which they can repeat', stop),
    );
  }
  const target = `${restoredTablePrefix(stage)}${id}-${now.toISOString().replaceAll(/\D/g, '').slice(0, 12)}`;
  const { earliest, latest } = backups ?? {};
  const isInRange = to && earliest && latest && earliest <= to && to <= latest;
  const begun = table
    ? isInRange &&
      command`aws dynamodb restore-table-to-point-in-time --source-table-name ${name} --restore-date-time ${to.toISOString()} --target-table-name ${target}`
    : lastBackup &&
      command`aws dynamodb restore-table-from-backup --backup-arn ${lastBackup.BackupArn ?? ''} --target-table-name ${target}`;
  if (!begun) {
    return finding(`${state}, but DynamoDB has no backup of that time.`, {
      text: 'choose another time, or restore a copy of AWS Backup: docs/lost-region.md',
    });
  }
  const of = table ? to : lastBackup?.BackupCreationDateTime;
  const quiet = { text: 'ask everybody not to issue, rotate or revoke a key until the end' };
  return finding(
    `${state}. There is a backup${of ? ` of ${formatTime(of)}` : ''}.`,
    restoring('restore it', begun),
    ...(id === keysId ? [quiet] : []),
  );
}

/** A restore copies no settings. The last command's effect shows that the others were run. */
function addBackups(facts: Facts, { name, table }: TableState): Finding {
  const { timeToLive } = facts.definition;
  const tags = Object.entries(tagsOf(facts.stage)).map(([key, value]) => `Key=${key},Value=${value}`);
  const purge = command`aws dynamodb update-time-to-live --table-name ${name} --time-to-live-specification Enabled=true,AttributeName=${timeToLive ?? ''}`;
  return finding(
    `${name} is restored, but a restore copies neither backups nor tags.`,
    restoring(
      'add them, in this order',
      command`aws dynamodb tag-resource --resource-arn ${table?.TableArn ?? ''} --tags ${tags}`,
      ...(timeToLive === undefined ? [] : [purge]),
      command`aws dynamodb update-continuous-backups --table-name ${name} --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true`,
    ),
    ...protect(facts, { name, table }),
  );
}

/** Returns how to protect a table from deletion, unless it is protected or its stage needs no protection. */
function protect({ settings }: Facts, { name, table }: TableState): readonly Step[] {
  if (!settings.hasDeletionProtection || table?.DeletionProtectionEnabled) return [];
  return [
    step(
      'administrator',
      'protect it from deletion',
      command`aws dynamodb update-table --table-name ${name} --deletion-protection-enabled`,
    ),
  ];
}

/** A table was restored, and is not in use yet. */
function use(facts: Facts, restored: TableState): Finding {
  const { id, name, table, stage, stack, settings, setting } = facts;
  if (restored.table?.TableStatus !== 'ACTIVE') {
    return finding(`${restored.name} is ${restored.table?.TableStatus}: this can take an hour.`);
  }
  const copy = step(
    'keys',
    'copy the later revocations (whether this is done, nothing here shows)',
    command`npm run keys -- copy-revocations --stage ${stage} --table ${restored.name} --from-table ${name}`,
  );
  const first = id === keysId && table ? [copy] : [];
  if (setting === restored.name) {
    return finding(
      `${restored.name} is in the settings of this clone, and not yet in use.`,
      ...first,
      // The release check would compare with the lost table.
      ...deployByHand(stage, id),
      { text: 'push this branch, merge it into main, and approve no deploy before' },
      ...protect(facts, restored),
    );
  }
  const setTo = JSON.stringify({ ...settings.restoredTables, [id]: restored.name });
  return finding(
    `${restored.name} is ready, and not yet in the settings of this clone.`,
    ...first,
    ...setTable(stage, stack?.outputs['Commit'] ?? '<commit>', setTo),
    ...protect(facts, restored),
  );
}

/** The stage uses a restored table. */
function finish(facts: Facts): Finding | undefined {
  const { name, setting } = facts;
  const allowed = allowAgain(facts, `${name} is in use`);
  if (allowed) return allowed;
  if (setting !== name) {
    return finding(
      `${replaced(facts)}, but this clone does not name it: a deploy of it would use another table.`,
      { text: 'merge the branch with restoredTables into main, and approve no deploy before' },
    );
  }
  return undefined;
}

/** What nothing here can read, once no other step is left. */
function remind(facts: Facts): Finding | undefined {
  const { isRestored, others } = facts;
  if (!isRestored) return undefined;
  const later =
    others.length > 0
      ? '. In some days, an administrator may delete the other table: docs/deploying.md#delete-a-table'
      : '';
  return finding(`${replaced(facts)}. Keep restoredTables in the settings.`, ...protect(facts, facts), {
    text: `see that restoredTables is on main, run the smoke test, and tell clients to which time the table was restored${later}`,
  });
}

/** Says which table is in use. */
function replaced({ name, others }: Facts): string {
  const unused = others.map((other) => other.name).join(', ');
  return unused
    ? `${name} is in use instead of ${unused} (if it was not just restored, a setting is wrong: see triage)`
    : `${name} is in use`;
}

/** What writes may still be stopped, also after pets were only copied from a restored table. */
function allowAgain(facts: Facts, state: string): Finding | undefined {
  const stopped = facts.writers.filter(({ isStopped }) => isStopped);
  if (stopped.length === 0) return undefined;
  const allow = limitCommand(facts, stopped, false);
  return finding(`${state}, and clients still cannot write.`, restoring('allow it again', allow));
}

/** Returns the operations that write a table. */
const writersOf = (table: TableId) =>
  Object.values(operations).filter(
    ({ method, operationId }) => method !== 'GET' && operationSettings[operationId].tableActions[table],
  );

/** Returns the command that stops operations, or allows them again. */
function limitCommand({ stack }: Facts, writers: Facts['writers'], isStop: boolean): Command {
  const patches = writers.flatMap(({ operationId, path, method }) => {
    const limits = operationSettings[operationId].throttling;
    return (['rateLimit', 'burstLimit'] as const).map(
      (name) =>
        `op=replace,path=/${path.replaceAll('/', '~1')}/${method}/throttling/${name},value=${isStop ? 0 : limits[name]}`,
    );
  });
  return command`aws apigateway update-stage --rest-api-id ${stack?.idOf('AWS::ApiGateway::RestApi') ?? ''} --stage-name ${apiVersion} --patch-operations ${patches}`;
}
