import { type OperationSettings, operationSettings } from '../../infra/settings/operation-settings.ts';
import { restoredTablePrefix, stackName, tagsOf } from '../../infra/stack-names.ts';
import { apiVersion, operations, type TableId } from '../../shared/service.ts';
import { readApiStage, readLastBackup, readTableSafety } from './aws.ts';
import type { Reading, Verb } from './read-stage.ts';
import { count, type Figure, type Finding, finding, formatTime, type Step, step } from './report.ts';
import { keysId, readUsedTables, type TableState, type UsedTable } from './tables.ts';

interface Options {
  readonly table?: TableId;
  /** The time to restore to. */
  readonly to?: Date;
}

/** What is known of a table that the stage uses. What could not be read is undefined. */
interface TableFacts extends UsedTable {
  /** The latest restored table of its kind that is not in use. */
  readonly restored: TableState | undefined;
  readonly lastBackup: Awaited<ReturnType<typeof readLastBackup>>;
  /** Of the table in use, and of the restored one. */
  readonly safety: Awaited<ReturnType<typeof readTableSafety>> | undefined;
  readonly restoredSafety: Awaited<ReturnType<typeof readTableSafety>> | undefined;
}

interface RestoreFacts extends Reading {
  readonly tables: readonly TableFacts[] | undefined;
  /** The limit of each operation in API Gateway, by path and method. */
  readonly limits: ReadonlyMap<string, number | undefined>;
}

/** For how long a restore may take, with the decision to use its table. */
const restoreMilliseconds = 7 * 24 * 60 * 60 * 1000;

/** Says where a stage's tables stand, and the next step of a restore. */
export const restore: Verb<Options> = {
  role: 'restore',
  run: async (reading, options) => {
    const facts = await read(reading);
    const because = facts.tables?.flatMap((table) => figures(table, facts)) ?? [];
    return { findings: [nextOf(facts, options)], because };
  },
};

async function read(reading: Reading): Promise<RestoreFacts> {
  const { stage, stack, now, clients, attempt } = reading;
  const safetyOf = (state: TableState | undefined) =>
    state?.table && attempt(`backups and tags of ${state.name}`, () => readTableSafety(clients, state));
  const used = await attempt('tables', () => readUsedTables(clients, stage, stack?.outputs ?? {}));
  const tables = used?.map(async (table): Promise<TableFacts> => {
    const lastBackup = table.table
      ? undefined
      : await attempt('last backup', () => readLastBackup(clients, table.name));
    // A copy from before the loss, or of an earlier restore, misses what was written later.
    const earliest = lastBackup?.BackupCreationDateTime ?? new Date(now.getTime() - restoreMilliseconds);
    const restored = table.others.findLast(
      ({ name, table: { CreationDateTime: created = now } = {} }) =>
        name.startsWith(restoredTablePrefix(stage)) && created >= earliest,
    );
    const [safety, restoredSafety] = await Promise.all([safetyOf(table), safetyOf(restored)]);
    return { ...table, lastBackup, restored, safety, restoredSafety };
  });
  const [restApi = ''] = stack?.idsOf('AWS::ApiGateway::RestApi') ?? [];
  const apiStage = await attempt('limits', () => readApiStage(clients, restApi, apiVersion));
  const limits = Object.entries(apiStage?.methodSettings ?? {}).map(
    // pets/POST, where ~1 may stand for a slash.
    ([method, { throttlingRateLimit }]) =>
      [`/${method.replaceAll('~1', '/').replace(/^\//, '')}`, throttlingRateLimit] as const,
  );
  return { ...reading, tables: tables && (await Promise.all(tables)), limits: new Map(limits) };
}

const settingOf = ({ settings }: RestoreFacts, id: TableId) => settings.restoredTables?.[id];

function figures(
  { id, restored, others, safety, ...used }: TableFacts,
  facts: RestoreFacts,
): readonly Figure[] {
  const describe = ({ name, table }: TableState) =>
    `${name} ${table ? `${table.TableStatus}, ${count(table.ItemCount ?? 0)} items (counted every six hours)` : 'DOES NOT EXIST'}`;
  const range =
    safety?.earliest && safety.latest
      ? `; can be restored to any time from ${formatTime(safety.earliest)} to ${formatTime(safety.latest)}`
      : '';
  return [
    [id, `in use: ${describe(used)}${range}`],
    ...others.map(
      (other): Figure => [
        '',
        `${other.name === restored?.name ? 'restored' : 'not in use'}: ${describe(other)}`,
      ],
    ),
    ['', `in infra/settings/stages.ts of this clone: ${settingOf(facts, id) ?? 'no restored table'}`],
  ];
}

function nextOf(facts: RestoreFacts, options: Options): Finding {
  const { tables, stage } = facts;
  const chosen = tables?.filter(({ id }) => options.table === undefined || options.table === id) ?? [];
  const [next] = chosen.flatMap((table) => nextFor(table, facts, options) ?? []);
  const [first] = chosen;
  if (!first) return finding('The tables could not be read, so the figures allow no conclusion.');
  return (
    next ??
    finding(
      'No table is lost, and no restore is in progress.',
      restoring(
        'to restore a table all the same, let the product owner choose the time: what was written later is lost',
        `npm run stage -- restore ${stage} --table ${first.id} --to <time, such as ${facts.now.toISOString().slice(0, 16)}Z>`,
      ),
    )
  );
}

const restoring = (text: string, ...commands: string[]) => step('restore', text, ...commands);

/** Returns the next step for a table, or undefined if there is none. */
function nextFor(table: TableFacts, facts: RestoreFacts, options: Options): Finding | undefined {
  const { id, name, restored } = table;
  const isRestored = name.startsWith(restoredTablePrefix(facts.stage));
  const isWanted = !table.table || options.to !== undefined;
  const again = restoring('look again', `npm run stage -- restore ${facts.stage} --table ${id}`);
  // Left over from a restore that is over, unless the table in use is lost, too.
  if (restored && (isWanted || !isRestored)) return useRestored(table, restored, facts, again);
  if (isWanted) return begin(table, facts, options, again);
  return isRestored ? finish(table, facts, again) : undefined;
}

/** Nothing has been restored yet. */
function begin(table: TableFacts, facts: RestoreFacts, { to }: Options, again: Step): Finding {
  const { id, name, others } = table;
  const state = `${name} ${table.table ? 'is to be restored' : 'does not exist any more'}`;
  const writers = writersOf(id).filter((operation) => limitOf(operation, facts) !== 0);
  if (writers.length > 0) {
    const unused = others.map((other) => other.name).join(', ');
    const doubt =
      table.table || !unused ? '' : ` If a setting has changed, nothing is lost: is it ${unused}?`;
    const option = to ? ` --to ${to.toISOString()}` : '';
    return finding(
      `${state}, and clients may still write.${doubt}`,
      restoring(
        'stop what writes: clients get a 429, which they can repeat',
        limitCommand(facts, writers, () => 0),
      ),
      { ...again, commands: again.commands?.map((command) => `${command}${option}`) ?? [] },
    );
  }
  const source = table.table && to ? fromPointInTime(table, to) : fromBackup(table);
  if (!source) {
    return finding(`${state}, but DynamoDB has no backup of that time.`, {
      text: 'choose another time, or restore a copy of AWS Backup: docs/lost-region.md',
    });
  }
  const time = facts.now.toISOString().replaceAll(/\D/g, '').slice(0, 12);
  const target = `--target-table-name ${restoredTablePrefix(facts.stage)}${id}-${time}`;
  const quiet: Step = { text: 'ask everybody not to issue, rotate or revoke a key until the end' };
  return finding(
    `${state}. There is a backup${source.of}.`,
    restoring('restore it', `aws dynamodb ${source.command} ${target}`),
    ...(id === keysId ? [quiet] : []),
    again,
  );
}

function fromBackup({ lastBackup }: TableFacts) {
  const { BackupArn: backup, BackupCreationDateTime: at } = lastBackup ?? {};
  const command = `restore-table-from-backup --backup-arn ${backup}`;
  return backup && { of: at ? ` of ${formatTime(at)}` : '', command };
}

function fromPointInTime({ name, safety }: TableFacts, to: Date) {
  const { earliest, latest } = safety ?? {};
  const command = `restore-table-to-point-in-time --source-table-name ${name} --restore-date-time ${to.toISOString()}`;
  return earliest && latest && earliest <= to && to <= latest
    ? { of: ` of ${formatTime(to)}`, command }
    : undefined;
}

/** A table was restored, and is not in use yet. */
function useRestored(table: TableFacts, restored: TableState, facts: RestoreFacts, again: Step): Finding {
  const { id, name } = table;
  const { stage, stack, settings } = facts;
  if (restored.table?.TableStatus !== 'ACTIVE') {
    return finding(`${restored.name} is ${restored.table?.TableStatus}: this can take an hour.`, again);
  }
  const safety = safetyCommands(restored, table.restoredSafety, table, stage);
  if (safety.length > 0) {
    return finding(
      `${restored.name} is restored, but a restore copies neither backups nor tags.`,
      restoring('add them', ...safety),
      again,
    );
  }
  const copy = step(
    'keys',
    'copy the later revocations (whether this is done, nothing here shows)',
    `npm run keys -- copy-revocations --stage ${stage} --table ${restored.name} --from-table ${name}`,
  );
  const first = id === keysId && table.table ? [copy] : [];
  if (settingOf(facts, id) !== restored.name) {
    const setting = JSON.stringify({ ...settings.restoredTables, [id]: restored.name });
    const commit = stack?.outputs['Commit']?.replace(/-dirty$/, '') ?? '<commit>';
    return finding(
      `${restored.name} is ready, and not yet in the settings of this clone.`,
      ...first,
      {
        text: 'begin with the deployed commit',
        commands: ['git fetch', `git switch --create restored-table ${commit}`, 'npm ci'],
      },
      { text: `set restoredTables of ${stage} in infra/settings/stages.ts to ${setting}, and commit` },
      again,
    );
  }
  return finding(
    `${restored.name} is in the settings of this clone, and not yet in use.`,
    ...first,
    step(
      'deploy',
      'deploy it, if the first command shows that no table is created. The canary would compare with the lost table',
      `npx cdk diff ${stackName(stage)}`,
      `npx cdk deploy ${stackName(stage)} -c fixForward=true`,
    ),
    again,
  );
}

/** The stage uses a restored table. */
function finish(table: TableFacts, facts: RestoreFacts, again: Step): Finding | undefined {
  const { id, name, others } = table;
  const { stage, settings } = facts;
  const unused = others.map(({ name }) => name).join(', ');
  const use = unused
    ? `${name} is in use instead of ${unused} (unless it was just restored, a setting is wrong: see triage)`
    : `${name} is in use`;
  const safety = safetyCommands(table, table.safety, table, stage);
  if (safety.length > 0) {
    return finding(`${use}, without backups, tags or time to live.`, restoring('add them', ...safety), again);
  }
  const stopped = writersOf(id).filter((operation) => limitOf(operation, facts) === 0);
  if (stopped.length > 0) {
    return finding(
      `${use}, and clients still cannot write.`,
      restoring(
        'allow it again',
        limitCommand(facts, stopped, (limits, name) => limits[name]),
      ),
      again,
    );
  }
  if (settings.hasDeletionProtection && !table.table?.DeletionProtectionEnabled) {
    return finding(
      `${use}, and not protected from deletion.`,
      step(
        'administrator',
        'protect it',
        `aws dynamodb update-table --table-name ${name} --deletion-protection-enabled`,
      ),
      again,
    );
  }
  if (settingOf(facts, id) !== name) {
    return finding(`${use}, but this clone does not name it: a deploy of it would use another table.`, {
      text: 'merge the branch with restoredTables into main, and approve no deploy before',
    });
  }
  return unused
    ? finding(`${use}, with everything it needs. Keep restoredTables in the settings.`, {
        text: 'run the smoke test, and tell clients to which time the table was restored. In some days, an administrator may delete the other table: docs/deploying.md#tear-down',
      })
    : undefined;
}

/** Returns the commands that give a restored table what a restore does not copy. */
function safetyCommands(
  { name, table }: TableState,
  safety: TableFacts['safety'],
  { definition: { timeToLive } }: UsedTable,
  stage: string,
): readonly string[] {
  if (!safety) return [];
  const tags = Object.entries(tagsOf(stage));
  return [
    !safety.hasBackups &&
      `update-continuous-backups --table-name ${name} --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true`,
    tags.some(([key, value]) => safety.tags[key] !== value) &&
      `tag-resource --resource-arn ${table?.TableArn} --tags ${tags.map(([key, value]) => `Key=${key},Value=${value}`).join(' ')}`,
    timeToLive !== undefined &&
      !safety.hasTimeToLive &&
      `update-time-to-live --table-name ${name} --time-to-live-specification Enabled=true,AttributeName=${timeToLive}`,
  ].flatMap((command) => (command ? [`aws dynamodb ${command}`] : []));
}

type Limits = OperationSettings['throttling'];
type Operation = (typeof operations)[keyof typeof operations];

const settingsOfOperations: Readonly<Record<string, OperationSettings>> = operationSettings;

/** Returns the operations that write a table. */
const writersOf = (table: TableId): readonly Operation[] =>
  Object.values(operations).filter(({ operationId }) =>
    settingsOfOperations[operationId]?.tables[table]?.table?.some((action) =>
      /Put|Update|Delete|Write/.test(action),
    ),
  );

const limitOf = ({ method, path }: Operation, { limits }: RestoreFacts) => limits.get(`${path}/${method}`);

function limitCommand(
  { stack }: RestoreFacts,
  limited: readonly Operation[],
  limitOf: (limits: Limits, name: keyof Limits) => number,
): string {
  const patches = limited.flatMap(({ method, path, operationId }) =>
    (['rateLimit', 'burstLimit'] as const).map((name) => {
      const limits = operationSettings[operationId].throttling;
      return `op=replace,path=/${path.replaceAll('/', '~1')}/${method}/throttling/${name},value=${limitOf(limits, name)}`;
    }),
  );
  return `aws apigateway update-stage --rest-api-id ${stack?.idsOf('AWS::ApiGateway::RestApi')[0]} --stage-name ${apiVersion} --patch-operations ${patches.join(' ')}`;
}
