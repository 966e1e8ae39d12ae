import { describe, expect, it } from 'vitest';
import { restore } from '../../../bin/stage/restore.ts';
import { operationSettings, type Throttling } from '../../../infra/settings/limits-and-permissions.ts';
import { tableOutput } from '../../../infra/stack-names.ts';
import type { OperationId } from '../../../shared/service.ts';
import { table } from '../../support/contract/own-operations.ts';
import { productionSettings } from '../../support/infra/stage-settings.ts';
import {
  apiKeys,
  failing,
  minutesAgo,
  oldKeys,
  ownTable,
  readFake,
  type World,
  writes,
} from '../../support/stage/fake-stage.ts';

type Options = Parameters<typeof restore.run>[1];
type RestoredTables = NonNullable<(typeof productionSettings)['restoredTables']>;

async function next(world: World, options: Options = {}, restoredTables: RestoredTables = {}) {
  const settings = { ...productionSettings, restoredTables };
  const report = await readFake(restore, options, world, settings);
  const [{ says, next: steps } = { says: '', next: [] }] = report.findings;
  return { conclusion: says, role: steps[0]?.role, command: steps[0]?.commands?.[0], steps };
}

const stage = 'PetStore-production';
const restored = `${stage}-restored-${table.id}-202611231930`;
const restoredKeys = `${stage}-restored-apiKeys-202611231930`;
const lost: World = { tables: { [apiKeys]: 9 } };
const stopped = { createLimit: 0 };
const patch = (limitsOf: (id: OperationId) => Throttling) => {
  const patches = writes.flatMap(({ operationId, name }) =>
    Object.entries(limitsOf(operationId)).map(
      ([limit, value]) => `op=replace,path=/${name}/throttling/${limit},value=${value}`,
    ),
  );
  return `aws apigateway update-stage --rest-api-id a1b2c3d4e5 --stage-name v1 --patch-operations ${patches.join(' ')}`;
};

it('finds that nothing is lost, and says how to restore all the same', async () => {
  expect(await next({})).toMatchObject({
    conclusion: 'No table is lost, and no restore is in progress.',
    command: `npm run stage -- restore production --table ${table.id} --to <time, such as 2026-11-23T20:00Z>`,
  });
});

it('draws no conclusion from tables that it could not read', async () => {
  expect((await next({ ...failing('denied', 'ListTables') })).conclusion).toMatch(/allow no conclusion/);
});

describe('a table of items', () => {
  const ready = { tables: { [apiKeys]: 9, [restored]: 12 }, safeTables: [apiKeys, restored] };
  const inUse = { ...ready, outputs: { [tableOutput(table.id)]: restored } };
  const named = { [table.id]: restored };

  it.each<[string, World, RestoredTables, RegExp, string | undefined, string | undefined]>([
    [
      'stops creates',
      lost,
      {},
      /does not exist any more, and clients may still write/,
      'restore',
      patch(() => ({ rateLimit: 0, burstLimit: 0 })),
    ],
    [
      'restores the last backup',
      { ...lost, ...stopped },
      {},
      /There is a backup of 2026-11-23 19:30 UTC\.$/,
      'restore',
      `aws dynamodb restore-table-from-backup --backup-arn arn:aws:dynamodb:us-east-1:123456789012:table/${ownTable}/backup/1 --target-table-name ${stage}-restored-${table.id}-202611232000`,
    ],
    [
      'waits',
      { ...stopped, tables: { [apiKeys]: 9, [restored]: { TableStatus: 'CREATING' } } },
      {},
      /is CREATING/,
      undefined,
      undefined,
    ],
    [
      'adds backups',
      { ...stopped, ...ready, safeTables: [apiKeys] },
      {},
      /copies neither backups nor tags/,
      'restore',
      `aws dynamodb tag-resource --resource-arn arn:aws:dynamodb:us-east-1:123456789012:table/${restored} --tags Key=service,Value=pet-store Key=stage,Value=production`,
    ],
    [
      'names it in the settings',
      { ...stopped, ...ready },
      {},
      /not yet in the settings of this clone/,
      undefined,
      'git fetch',
    ],
    [
      'deploys',
      { ...stopped, ...ready },
      named,
      /not yet in use/,
      'deploy',
      `npx cdk diff ${stage} --exclusively`,
    ],
    [
      'allows creates',
      { ...stopped, ...inUse },
      named,
      /clients still cannot write/,
      'restore',
      patch((id) => operationSettings[id].throttling),
    ],
    [
      'allows creates after items were only copied, while the copy exists',
      { ...stopped, tables: { [ownTable]: 12, [apiKeys]: 9, [restored]: 12 } },
      {},
      /^No table is lost, and clients still cannot write/,
      'restore',
      patch((id) => operationSettings[id].throttling),
    ],
  ])('%s', async (_title, world: World, settings: RestoredTables, conclusion, role, command) => {
    expect(await next(world, {}, settings)).toMatchObject({
      conclusion: expect.stringMatching(conclusion),
      role,
      command,
    });
  });

  it.each([
    [undefined, ['administrator']],
    [true, []],
  ])('is to be protected and merged while it is deployed, if its protection is %s', async (isOn, roles) => {
    const tables = { [apiKeys]: 9, [restored]: { DeletionProtectionEnabled: isOn } };

    const { steps } = await next({ ...stopped, ...ready, tables }, {}, named);

    expect(steps.flatMap(({ role }) => role ?? [])).toEqual(['deploy', 'deploy', ...roles]);
    expect(steps[2]?.text).toMatch(/^push this branch, merge it into main/);
  });

  const to = minutesAgo(120);
  it('is restored to a time, if it exists', async () => {
    expect(await next(stopped, { table: table.id, to })).toMatchObject({
      command: `aws dynamodb restore-table-to-point-in-time --source-table-name ${ownTable} --restore-date-time 2026-11-23T18:00:00.000Z --target-table-name ${stage}-restored-${table.id}-202611232000`,
    });
  });

  it('is over once the table restored to that time is in use', async () => {
    const tables = {
      ...inUse.tables,
      [restored]: { RestoreSummary: { RestoreInProgress: false, RestoreDateTime: to } },
    };

    expect((await next({ ...stopped, ...inUse, tables }, { table: table.id, to }, named)).conclusion).toMatch(
      /is in use.+clients still cannot write/,
    );
  });

  it('is not replaced by a table that was restored to another time', async () => {
    const tables = {
      [ownTable]: 12,
      [apiKeys]: 9,
      [restored]: { RestoreSummary: { RestoreInProgress: false, RestoreDateTime: minutesAgo(600) } },
    };

    expect((await next({ ...stopped, tables }, { table: table.id, to })).command).toMatch(
      /^aws dynamodb restore-table-to-point-in-time /,
    );
  });

  it('cannot be restored to a time without backups', async () => {
    expect((await next(stopped, { table: table.id, to: minutesAgo(1) })).conclusion).toBe(
      `${ownTable} is to be restored, but DynamoDB has no backup of that time.`,
    );
  });

  it('reminds of main at the end, also if the old table was deleted', async () => {
    const { conclusion, steps } = await next(inUse, {}, named);

    expect(conclusion).toBe(`${restored} is in use. Keep restoredTables in the settings.`);
    expect(steps.at(-1)?.text).toMatch(/^see that restoredTables is on main/);
  });

  it('does not hide that another table is lost', async () => {
    const tables = { [restored]: 12 };

    expect((await next({ ...inUse, tables }, {}, named)).conclusion).toMatch(
      new RegExp(`^${apiKeys} does not exist any more`),
    );
  });

  it('asks for a merge if the settings here do not name it', async () => {
    expect((await next(inUse)).steps[0]?.text).toMatch(/merge the branch/);
  });
});

describe('the table of keys', () => {
  const to = minutesAgo(120);
  const asked: Options = { table: 'apiKeys', to };
  const ready = {
    tables: {
      [ownTable]: 12,
      [apiKeys]: 9,
      [restoredKeys]: { RestoreSummary: { RestoreInProgress: false, RestoreDateTime: to } },
    },
    safeTables: [ownTable, apiKeys, restoredKeys],
  };

  it('gets what a restore does not copy, backups last', async () => {
    const { steps } = await next({ ...ready, safeTables: [ownTable, apiKeys] }, asked);

    expect(steps.map(({ role, commands }) => [role, commands?.at(-1)])).toEqual([
      [
        'restore',
        `aws dynamodb update-continuous-backups --table-name ${restoredKeys} --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true`,
      ],
      [
        'administrator',
        `aws dynamodb update-table --table-name ${restoredKeys} --deletion-protection-enabled`,
      ],
    ]);
    expect(steps[0]?.commands?.[1]).toBe(
      `aws dynamodb update-time-to-live --table-name ${restoredKeys} --time-to-live-specification Enabled=true,AttributeName=purgeAt`,
    );
  });

  it('gets the later revocations first', async () => {
    expect(await next(ready, asked)).toMatchObject({
      role: 'keys',
      command: `npm run keys -- copy-revocations --stage production --table ${restoredKeys} --from-table ${apiKeys}`,
    });
  });

  it('is restored from its last backup although an older copy exists', async () => {
    const { command } = await next({ tables: { [ownTable]: 12, [oldKeys]: 3 } });

    expect(command).toMatch(/^aws dynamodb restore-table-from-backup /);
  });

  it('is what the settings name, although a later copy exists', async () => {
    const later = `${stage}-restored-apiKeys-202611231955`;
    const tables = { [ownTable]: 12, [restoredKeys]: 9, [later]: 9 };
    const world = { tables, safeTables: [ownTable, restoredKeys, later] };

    expect((await next(world, {}, { apiKeys: restoredKeys })).conclusion).toBe(
      `${restoredKeys} is in the settings of this clone, and not yet in use.`,
    );
  });

  it('is not called restored if a release uses an older copy', async () => {
    const tables = { [ownTable]: 12, [apiKeys]: 9, [oldKeys]: 3 };
    const world = { outputs: { ApiKeysTableName: oldKeys }, tables, safeTables: [ownTable, oldKeys] };

    expect((await next(world)).conclusion).toMatch(
      `${oldKeys} is in use instead of ${apiKeys} (if it was not just restored, a setting is wrong: see triage), `,
    );
  });

  it('keeps the name of the other table in the settings', async () => {
    const { steps } = await next(ready, asked, { [table.id]: ownTable });

    expect(steps[2]?.text).toContain(JSON.stringify({ [table.id]: ownTable, apiKeys: restoredKeys }));
  });
});
