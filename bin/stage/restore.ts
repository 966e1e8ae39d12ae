import { type OperationSettings, operationSettings } from '../../infra/settings/operation-settings.ts';
import type { StageSettings } from '../../infra/settings/stages.ts';
import { restoredTablePrefix, stackName, tagsOf } from '../../infra/stack-names.ts';
import { apiVersion, operations, type TableId } from '../../shared/service.ts';
import { readApiStage, readLastBackup, readTableSafety } from './aws.ts';
import type { Reading, Verb } from './read-stage.ts';
import { type Answer, answer, count, type Finding, formatTime, type Step, step } from './report.ts';
import { keysId, readUsedTables, type TableState, type UsedTable } from './tables.ts';

interface Options {
  readonly table?: TableId;
  /** The time to restore to. */
  readonly to?: Date;
}

type Safety = Awaited<ReturnType<typeof readTableSafety>>;

interface RestoredTable extends TableState {
  readonly safety: Safety | undefined;
}

/** What is known of a table that the stage uses. What could not be read is undefined. */
interface TableFacts extends UsedTable {
  readonly safety: Safety | undefined;
  /** The latest restored table of its kind that is not in use. */
  readonly restored: RestoredTable | undefined;
  readonly lastBackup: Awaited<ReturnType<typeof readLastBackup>>;
}

interface RestoreFacts {
  readonly stage: string;
  readonly settings: StageSettings;
  readonly now: Date;
  readonly commit: string;
  readonly restApi: string;
  readonly tables: readonly TableFacts[] | undefined;
  /** The limit of each operation in API Gateway, by method and path. */
  readonly limits: ReadonlyMap<string, number | undefined>;
}

/** For how long a restore may take, with the decision to use its table. */
const restoreMilliseconds = 7 * 24 * 60 * 60 * 1000;

/** Says where a stage's tables stand, and the next step of a restore. */
export const restore: Verb<Options> = {
  role: 'restore',
  run: async (reading, options) => {
    const facts = await read(reading);
    const found = facts.tables?.flatMap((table) => findings(table, facts)) ?? [];
    return { findings: found, ...nextOf(facts, options) };
  },
};

async function read({ stage, stack, settings, now, clients, attempt }: Reading): Promise<RestoreFacts> {
  const [restApi = ''] = stack?.idsOf('AWS::ApiGateway::RestApi') ?? [];
  const withSafety = async (state: TableState) => ({
    ...state,
    safety: await attempt(`backups and tags of ${state.name}`, () => readTableSafety(clients, state)),
  });
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
    return {
      ...table,
      safety: table.table && (await withSafety(table)).safety,
      restored: restored && (await withSafety(restored)),
      lastBackup,
    };
  });
  const apiStage = await attempt('limits', () => readApiStage(clients, restApi, apiVersion));
  const limits = Object.entries(apiStage?.methodSettings ?? {}).map(
    // pets/POST, where ~1 may stand for a slash.
    ([method, { throttlingRateLimit }]) =>
      [`/${method.replaceAll('~1', '/').replace(/^\//, '')}`, throttlingRateLimit] as const,
  );
  return {
    stage,
    settings,
    now,
    commit: stack?.outputs['Commit'] ?? '<commit>',
    restApi,
    tables: tables && (await Promise.all(tables)),
    limits: new Map(limits),
  };
}

const settingOf = ({ settings }: RestoreFacts, id: TableId) => settings.restoredTables?.[id];

function findings(
  { id, name, table, safety, restored, others }: TableFacts,
  facts: RestoreFacts,
): readonly Finding[] {
  const describe = (state: TableState) =>
    `${state.name} ${state.table ? `${state.table.TableStatus}, ${count(state.table.ItemCount ?? 0)} items (counted every six hours)` : 'DOES NOT EXIST'}`;
  const found: Finding[] = [[id, `in use: ${describe({ name, table })}`]];
  if (safety?.earliest && safety.latest) {
    found.push([
      '',
      `can be restored to any time from ${formatTime(safety.earliest)} to ${formatTime(safety.latest)}`,
    ]);
  }
  for (const other of others)
    found.push(['', `${other.name === restored?.name ? 'restored' : 'not in use'}: ${describe(other)}`]);
  found.push([
    '',
    `in infra/settings/stages.ts of this clone: ${settingOf(facts, id) ?? 'no restored table'}`,
  ]);
  return found;
}

function nextOf(facts: RestoreFacts, options: Options): Answer {
  const { tables, stage, now } = facts;
  const chosen = tables?.filter(({ id }) => options.table === undefined || options.table === id) ?? [];
  for (const table of chosen) {
    const next = nextFor(table, facts, options);
    if (next) return next;
  }
  const id = chosen[0]?.id;
  if (id === undefined) {
    return answer('The tables could not be read, so the figures allow no conclusion.');
  }
  const time = now.toISOString().slice(0, 16);
  return answer(
    'No table is lost, and no restore is in progress.',
    restoring(
      'to restore a table all the same, let the product owner choose the time: what was written later is lost',
      `npm run stage -- restore ${stage} --table ${id} --to <time, such as ${time}Z>`,
    ),
  );
}

/** Returns the next step for a table, or undefined if there is none. */
function nextFor(table: TableFacts, facts: RestoreFacts, options: Options): Answer | undefined {
  const { restored, name } = table;
  const isUsed = name.startsWith(restoredTablePrefix(facts.stage));
  const isWanted = !table.table || options.to !== undefined;
  // Left over from a restore that is over, unless the table in use is lost, too.
  if (restored && (isWanted || !isUsed)) return withRestored(table, restored, facts);
  if (isWanted) return begin(table, facts, options);
  return isUsed ? afterwards(table, facts) : undefined;
}

const restoring = (text: string, ...commands: string[]) => step('restore', text, ...commands);

const again = ({ id }: TableFacts, { stage }: RestoreFacts, to?: Date) =>
  restoring(
    'look again',
    `npm run stage -- restore ${stage} --table ${id}${to ? ` --to ${to.toISOString()}` : ''}`,
  );

/** Nothing has been restored yet. */
function begin(table: TableFacts, facts: RestoreFacts, { to }: Options): Answer {
  const { id, name, others } = table;
  const writers = writersOf(id).filter((operation) => limitOf(operation, facts) !== 0);
  if (writers.length > 0) {
    const unused = others.map((other) => other.name).join(', ');
    const doubt = unused && ` If a setting has changed, nothing is lost: is it ${unused}?`;
    return answer(
      `${name} ${table.table ? 'is to be restored' : 'does not exist any more'}, and clients may still write.${table.table ? '' : doubt}`,
      restoring(
        'stop what writes: clients get a 429, which they can repeat',
        limitCommand(facts, writers, () => 0),
      ),
      again(table, facts, to),
    );
  }
  const time = facts.now.toISOString().replaceAll(/\D/g, '').slice(0, 12);
  const target = `${restoredTablePrefix(facts.stage)}${id}-${time}`;
  const begun = table.table && to ? toPointInTime(table, target, to) : fromBackup(table, target);
  const quiet: Step = { text: 'ask everybody not to issue, rotate or revoke a key until the end' };
  return { ...begun, steps: [...begun.steps, ...(id === keysId ? [quiet] : []), again(table, facts)] };
}

function fromBackup({ name, lastBackup }: TableFacts, target: string): Answer {
  const { BackupArn: backup, BackupCreationDateTime: at } = lastBackup ?? {};
  if (!backup) {
    return answer(`${name} does not exist, and DynamoDB lists no last backup, which it keeps for 35 days.`, {
      text: 'restore a copy of AWS Backup: docs/deploying.md',
    });
  }
  return answer(
    `${name} does not exist any more, and its last backup is there${at ? `, of ${formatTime(at)}` : ''}.`,
    restoring(
      'restore it',
      `aws dynamodb restore-table-from-backup --target-table-name ${target} --backup-arn ${backup}`,
    ),
  );
}

function toPointInTime({ name, safety }: TableFacts, target: string, to: Date): Answer {
  const { earliest, latest } = safety ?? {};
  if (!earliest || !latest || to < earliest || to > latest) {
    const range = earliest && latest ? `: only from ${formatTime(earliest)} to ${formatTime(latest)}` : '';
    return answer(`${name} cannot be restored to ${formatTime(to)}${range}.`, {
      text: 'choose another time, or a copy of AWS Backup: docs/deploying.md',
    });
  }
  return answer(
    `${name} can be restored to ${formatTime(to)}.`,
    restoring(
      'restore it',
      `aws dynamodb restore-table-to-point-in-time --source-table-name ${name} --target-table-name ${target} --restore-date-time ${to.toISOString()}`,
    ),
  );
}

/** A table was restored, and is not in use yet. */
function withRestored(table: TableFacts, restored: RestoredTable, facts: RestoreFacts): Answer {
  const { id, name } = table;
  const { stage, settings, commit } = facts;
  if (restored.table?.TableStatus !== 'ACTIVE') {
    return answer(
      `${restored.name} is ${restored.table?.TableStatus}: this can take an hour.`,
      again(table, facts),
    );
  }
  const safety = safetyCommands(restored, table, stage);
  if (safety.length > 0) {
    return answer(
      `${restored.name} is restored, but a restore copies neither backups nor tags.`,
      restoring('add them', ...safety),
      again(table, facts),
    );
  }
  const copy: readonly Step[] =
    id === keysId && table.table
      ? [
          step(
            'keys',
            'copy the later revocations (whether this is done, nothing here shows)',
            `npm run keys -- copy-revocations --stage ${stage} --table ${restored.name} --from-table ${name}`,
          ),
        ]
      : [];
  const setting = JSON.stringify({ ...settings.restoredTables, [id]: restored.name });
  if (settingOf(facts, id) !== restored.name) {
    return answer(
      `${restored.name} is ready, and not yet in the settings of this clone.`,
      ...copy,
      {
        text: 'begin with the deployed commit',
        commands: [
          'git fetch',
          `git switch --create restored-table ${commit.replace(/-dirty$/, '')}`,
          'npm ci',
        ],
      },
      { text: `set restoredTables of ${stage} in infra/settings/stages.ts to ${setting}, and commit` },
      again(table, facts),
    );
  }
  return answer(
    `${restored.name} is in the settings of this clone, and not yet in use.`,
    ...copy,
    step(
      'deploy',
      'see what a deploy changes: the table and what uses it, and no table is created',
      `npx cdk diff ${stackName(stage)}`,
    ),
    step(
      'deploy',
      'deploy without the canary, which would compare with the lost table',
      `npx cdk deploy ${stackName(stage)} -c fixForward=true`,
    ),
    again(table, facts),
  );
}

/** The stage uses a restored table. */
function afterwards(table: TableFacts, facts: RestoreFacts): Answer | undefined {
  const { id, name, others } = table;
  const { stage, settings } = facts;
  const safety = safetyCommands(table, table, stage);
  const use = others.length
    ? `${name} is in use instead of ${others.map(({ name }) => name).join(', ')} (unless it was just restored, a setting is wrong: see triage)`
    : `${name} is in use`;
  if (safety.length > 0) {
    return answer(
      `${use}, without backups, tags or time to live.`,
      restoring('add them', ...safety),
      again(table, facts),
    );
  }
  const stopped = writersOf(id).filter((operation) => limitOf(operation, facts) === 0);
  if (stopped.length > 0) {
    const limit = (id: string, name: keyof OperationSettings['throttling']) =>
      settingsOfOperations[id]?.throttling[name] ?? 0;
    return answer(
      `${use}, and clients still cannot write.`,
      restoring('allow it again', limitCommand(facts, stopped, limit)),
      again(table, facts),
    );
  }
  if (settings.hasDeletionProtection && !table.table?.DeletionProtectionEnabled) {
    return answer(
      `${use}, and not protected from deletion.`,
      step(
        'administrator',
        'protect it',
        `aws dynamodb update-table --table-name ${name} --deletion-protection-enabled`,
      ),
      again(table, facts),
    );
  }
  if (settingOf(facts, id) !== name) {
    return answer(`${use}, but this clone does not name it: a deploy of it would use another table.`, {
      text: 'merge the branch with restoredTables into main, and approve no deploy before',
    });
  }
  if (others.length === 0) return undefined;
  return answer(
    `${use}, with everything it needs. Keep restoredTables in the settings.`,
    { text: `run the smoke test, and tell clients to which time the table was restored` },
    ...others.map(
      ({ name }): Step =>
        step(
          'administrator',
          `in some days, when nothing is missing, delete ${name}`,
          `aws dynamodb update-table --table-name ${name} --no-deletion-protection-enabled`,
          `aws dynamodb delete-table --table-name ${name}`,
        ),
    ),
  );
}

/** Returns the commands that give a restored table what a restore does not copy. */
function safetyCommands(
  { name, table, safety }: Pick<TableFacts, 'name' | 'table' | 'safety'>,
  { definition }: UsedTable,
  stage: string,
): readonly string[] {
  if (!safety) return [];
  const tags = Object.entries(tagsOf(stage));
  const commands: string[] = [];
  if (!safety.hasBackups)
    commands.push(
      `aws dynamodb update-continuous-backups --table-name ${name} --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true`,
    );
  if (tags.some(([key, value]) => safety.tags[key] !== value))
    commands.push(
      `aws dynamodb tag-resource --resource-arn ${table?.TableArn} --tags ${tags.map(([key, value]) => `Key=${key},Value=${value}`).join(' ')}`,
    );
  if (definition.timeToLive && !safety.hasTimeToLive)
    commands.push(
      `aws dynamodb update-time-to-live --table-name ${name} --time-to-live-specification Enabled=true,AttributeName=${definition.timeToLive}`,
    );
  return commands;
}

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
  { restApi }: RestoreFacts,
  limited: readonly Operation[],
  limit: (id: string, name: keyof OperationSettings['throttling']) => number,
): string {
  const patches = limited.flatMap(({ method, path, operationId }) =>
    (['rateLimit', 'burstLimit'] as const).map(
      (name) =>
        `op=replace,path=/${path.replaceAll('/', '~1')}/${method}/throttling/${name},value=${limit(operationId, name)}`,
    ),
  );
  return `aws apigateway update-stage --rest-api-id ${restApi} --stage-name ${apiVersion} --patch-operations ${patches.join(' ')}`;
}
