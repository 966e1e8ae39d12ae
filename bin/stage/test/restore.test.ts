import { describe, expect, it } from 'vitest';
import { tableOutput } from '../../../infra/stack-names.ts';
import type { TableId } from '../../../shared/service.ts';
import { table } from '../../../test/support/contract/own-operations.ts';
import { finding } from '../report.ts';
import { restore } from '../restore/restore.ts';
import { failing, outputsOf, readFake, type World } from './support/fake-stage.ts';
import { stackOutputs } from './support/stack-resources.ts';
import { apiKeys, minutesAgo, oldKeys, ownTable } from './support/stage-names.ts';

type Options = Parameters<typeof restore.run>[1];

const read = async (world: World = {}, options: Options = {}) =>
  (await readFake(restore, options, world)).findings;

const stage = 'PetStore-production';
const arnOf = (name: string) => `arn:aws:dynamodb:us-east-1:123456789012:table/${name}`;
const restoreTo = (name: string) =>
  `aws dynamodb restore-table-from-backup --backup-arn ${arnOf(name)}/backup/1 --target-table-name ${name}`;
const lost: World = { tables: { [apiKeys]: 9 } };
const noDeploy = (id: string) => ({
  text: `approve no deploy until the table of ${id} is back, with all that this command then names`,
});

it('finds nothing, and says how to make a copy', async () => {
  expect(await read()).toEqual([
    {
      says: 'No table is lost, none lacks a setting, and there is no copy.',
      next: [
        {
          text: 'if items are missing or wrong, make a copy of the time before, which changes nothing for clients',
          role: 'restore',
          commands: [
            `npm run stage -- restore production --table ${table.id} --to <time, such as 2026-11-23T20:00Z>`,
          ],
        },
      ],
    },
  ]);
});

it('calls no table lost that is not deployed yet', async () => {
  const { [tableOutput(table.id)]: _later, ...deployed } = stackOutputs;
  const world = { stacks: { [stage]: { Outputs: outputsOf(deployed) } } };

  expect(await read(world)).toHaveLength(1);
  await expect(read(world, { table: table.id as TableId })).rejects.toThrow(`no table ${table.id} yet`);
});

describe('a lost table', () => {
  it('is restored under its own name, from its last backup', async () => {
    expect(await read(lost)).toEqual([
      {
        says: `${ownTable} does not exist any more. Its last backup, of 2026-11-23 19:30 UTC, has all items.`,
        next: [
          { text: 'restore it under the same name', role: 'restore', commands: [restoreTo(ownTable)] },
          noDeploy(table.id),
        ],
      },
    ]);
  });

  it('has its newest backup on any page', async () => {
    const backups = [400, 300, 100, 30, 200].map((minutes) => ({
      BackupArn: `${arnOf(ownTable)}/backup/${minutes}`,
      BackupCreationDateTime: minutesAgo(minutes),
      BackupType: 'SYSTEM' as const,
      BackupStatus: 'AVAILABLE' as const,
    }));

    const [found] = await read({ ...lost, answers: { ListBackups: () => ({ BackupSummaries: backups }) } });

    expect(found?.next[0]?.commands).toEqual([expect.stringContaining('/backup/30 --target-table-name ')]);
  });

  it.each<[string, object[], RegExp]>([
    ['waits for its backup', [{ BackupStatus: 'CREATING' }], /Its last backup, of .* UTC, is CREATING\.$/],
    ['needs a copy of AWS Backup if it had no backups', [], /, and DynamoDB has no backup of it\.$/],
  ])('%s', async (_title, found, says) => {
    const BackupSummaries = found.map((changed) => ({
      BackupArn: `${arnOf(ownTable)}/backup/1`,
      BackupCreationDateTime: minutesAgo(1),
      ...changed,
    }));

    const findings = await read({ ...lost, answers: { ListBackups: () => ({ BackupSummaries }) } });

    expect(findings[0]?.says).toMatch(says);
    expect(findings[0]?.next.flatMap(({ commands }) => commands ?? [])).toEqual([]);
  });

  it.each([
    ['CREATING', 'is being restored, which can take hours.'],
    ['DELETING', 'is being deleted: it can be restored in some minutes.'],
  ] as const)('is waited for while it is %s', async (TableStatus, says) => {
    const tables = { [apiKeys]: 9, [ownTable]: { TableStatus } };

    expect(await read({ tables })).toEqual([{ says: `${ownTable} ${says}`, next: [noDeploy(table.id)] }]);
  });

  it('comes before everything else', async () => {
    const findings = await read({ tables: { [ownTable]: 12 }, safeTables: [] });

    expect(findings.map(({ says }) => says)).toEqual([
      expect.stringMatching(new RegExp(`^${apiKeys} does not exist any more`)),
      expect.stringMatching(new RegExp(`^${ownTable} lacks `)),
    ]);
  });

  it('is restored although there is an older copy of it', async () => {
    const [first] = await read({ tables: { [ownTable]: 12, [oldKeys]: 3 } });

    expect(first?.next[0]?.commands).toEqual([restoreTo(apiKeys)]);
  });
});

describe('a restored table', () => {
  it('gets back what a restore leaves out', async () => {
    const findings = await read({ safeTables: [ownTable] });

    expect(findings.map(({ says }) => says)).toEqual([
      `${apiKeys} lacks what a restore does not bring back: time to live, tags, point-in-time recovery, deletion protection.`,
    ]);
    expect(findings.flatMap(({ next }) => next.map(({ role, commands }) => [role, commands]))).toEqual([
      [
        'restore',
        [
          `aws dynamodb update-time-to-live --table-name ${apiKeys} --time-to-live-specification Enabled=true,AttributeName=purgeAt`,
        ],
      ],
      [
        'restore',
        [
          `aws dynamodb tag-resource --resource-arn ${arnOf(apiKeys)} --tags Key=service,Value=pet-store Key=stage,Value=production`,
        ],
      ],
      [
        'restore',
        [
          `aws dynamodb update-continuous-backups --table-name ${apiKeys} --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true`,
        ],
      ],
      ['administrator', [`aws dynamodb update-table --table-name ${apiKeys} --deletion-protection-enabled`]],
    ]);
  });

  it('gets only what it lacks', async () => {
    const [found] = await read({
      answers: { ListTagsOfResource: () => ({ Tags: [{ Key: 'service', Value: 'pet-store' }] }) },
    });

    expect(found?.says).toMatch(/does not bring back: tags\.$/);
    expect(found?.next).toEqual([
      expect.objectContaining({
        commands: [
          `aws dynamodb tag-resource --resource-arn ${arnOf(ownTable)} --tags Key=stage,Value=production`,
        ],
      }),
    ]);
  });
});

describe('a copy', () => {
  const to = minutesAgo(120);
  const asked: Options = { table: table.id, to };
  const copy = `${stage}-restored-${table.id}-202611231930`;
  const world = (found: object): World => ({ tables: { [ownTable]: 12, [apiKeys]: 9, [copy]: found } });

  it('is made beside the table', async () => {
    expect(await read({}, asked)).toEqual([
      {
        says: `There is no copy of ${ownTable} of 2026-11-23 18:00 UTC.`,
        next: [
          {
            text: 'make one beside it, which changes nothing for clients',
            role: 'restore',
            commands: [
              `aws dynamodb restore-table-to-point-in-time --source-table-name ${ownTable} --restore-date-time 2026-11-23T18:00:00.000Z --target-table-name ${stage}-restored-${table.id}-202611232000`,
            ],
          },
        ],
      },
    ]);
  });

  it('cannot be of a time without backups', async () => {
    const [found] = await read({}, { table: table.id, to: minutesAgo(1) });

    expect(found?.says).toBe(
      `DynamoDB can make copies of ${ownTable} from 2026-10-19 20:00 UTC to 2026-11-23 19:55 UTC.`,
    );
    expect(found?.next.flatMap(({ commands }) => commands)).toEqual([
      `aws dynamodb list-backups --backup-type SYSTEM --table-name ${ownTable}`,
    ]);
  });

  it.each([
    [
      'ACTIVE',
      /is a copy of \w+ \(items of 2026-11-23 18:00 UTC\)\.$/,
      [`npm run put-back -- production ${table.id} --from ${copy}`],
    ],
    ['CREATING', /\(items of 2026-11-23 18:00 UTC\), and is CREATING: this can take hours\.$/, []],
  ])('that is %s has a next step', async (TableStatus, says, commands) => {
    const RestoreSummary = { RestoreDateTime: to, RestoreInProgress: TableStatus === 'CREATING' };

    for (const options of [asked, {}]) {
      const [found] = await read(world({ TableStatus, RestoreSummary }), options);

      expect(found?.says).toMatch(says);
      expect(found?.next.flatMap(({ commands }) => commands ?? [])).toEqual(commands);
    }
  });

  it('of another time is not taken for the one that was asked for', async () => {
    const RestoreSummary = { RestoreDateTime: minutesAgo(600), RestoreInProgress: false };

    const [found] = await read(world({ RestoreSummary }), asked);

    expect(found?.says).toMatch(/^There is no copy of /);
  });

  it('comes after a table that lacks a setting', async () => {
    const findings = await read({ ...world({}), safeTables: [ownTable] });

    expect(findings.map(({ says }) => says)).toEqual([
      expect.stringMatching(new RegExp(`^${apiKeys} lacks `)),
      `${copy} is a copy of ${table.id}.`,
    ]);
  });
});

describe('with a call that fails', () => {
  const to = minutesAgo(120);
  const RestoreSummary = { RestoreDateTime: to, RestoreInProgress: false };
  const copy = `${stage}-restored-${table.id}-202611231930`;
  const worlds: [title: string, world: World, options?: Options][] = [
    ['nothing is wrong', {}],
    ['a table is lost', lost],
    ['both are lost', { tables: {} }],
    ['tables are incomplete', { safeTables: [] }],
    ['one is lost, the other incomplete', { ...lost, safeTables: [] }],
    ['a copy is wanted', {}, { table: table.id, to }],
    ['a copy is there', { tables: { [ownTable]: 1, [apiKeys]: 1, [copy]: { RestoreSummary } } }],
  ];
  const commands = [
    'DescribeContinuousBackups',
    'DescribeStacks',
    'DescribeTable',
    'DescribeTimeToLive',
    'ListBackups',
    'ListStackResources',
    'ListTables',
    'ListTagsOfResource',
  ];

  it.each(worlds)('it concludes the same or nothing if %s', async (_title, world, options = {}) => {
    const [truth] = await read(world, options);

    for (const fault of ['denied', 'throttled', 'cut'] as const) {
      for (const command of commands) {
        const failed = { ...world, pageSize: 1, ...failing(fault, command) };
        // Without the stack, nothing is known at all.
        const findings = await read(failed, options).catch((error: Error) => [finding(error.message)]);

        const [found = finding('')] = findings;
        const isUnread = /could not be read: |is not authorized to|^Rate exceeded$/.test(found.says);
        expect({ fault, command, found: isUnread ? truth : found }).toEqual({ fault, command, found: truth });
      }
    }
  });

  it('it says what is missing, after what it knows', async () => {
    const findings = await read({ ...lost, ...failing('denied', 'ListTagsOfResource') });

    const [first, ...others] = findings.map(({ says }) => says);
    expect(first).toMatch(/does not exist any more/);
    expect(others).toContain(
      `Incomplete, because this could not be read: tags of ${apiKeys} (AccessDeniedException).`,
    );
  });
});
