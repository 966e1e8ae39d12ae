import type { Stack } from '@aws-sdk/client-cloudformation';
import { expect, it } from 'vitest';
import { readStage } from '../../../../bin/stage/read-stage.ts';
import { triage } from '../../../../bin/stage/triage/triage.ts';
import { awsError } from '../../../support/stage/aws-errors.ts';
import { withBackground } from '../../../support/stage/background.ts';
import { expectSameOrUnread } from '../../../support/stage/expect-same-or-unread.ts';
import { failing, fakeStage, readFake, type World } from '../../../support/stage/fake-stage.ts';
import { incidents } from '../../../support/stage/incidents.ts';
import { requests } from '../../../support/stage/traffic.ts';

const reportOf = (world: World) => readFake(triage, { minutes: 60 }, withBackground(world));

it('concludes the same, or that a fact could not be read, whatever goes wrong with calls', async () => {
  const { nothing, deletedTable, lostIndex, brownout, badRelease, emptiedKeys, madeUpKeys, failedRollback } =
    incidents;
  const worlds = {
    nothing,
    deletedTable,
    lostIndex,
    brownout,
    badRelease,
    emptiedKeys,
    madeUpKeys,
    failedRollback,
  };
  const withNoise = Object.entries(worlds).map(([name, world]) => [name, withBackground(world)] as const);

  await expectSameOrUnread(triage, { minutes: 60 }, Object.fromEntries(withNoise));
});

it('says first what is missing, and then what it knows all the same', async () => {
  const { findings, unread } = await reportOf({
    ...incidents.revokedKey,
    ...failing('throttled', 'ListTables'),
  });

  expect(findings.map(({ says }) => says)).toEqual([
    'The figures allow no conclusion: tables (ThrottlingException) could not be read.',
    expect.stringMatching(/^Keys that were served are refused: 1, of zoo\./),
  ]);
  expect(findings[0]?.next).toEqual([{ text: 'run this again' }]);
  expect(unread).toEqual(['tables: ThrottlingException: Rate exceeded']);
});

it.each<[title: string, row: Readonly<Record<string, string>>]>([
  ['a row without a status', {}],
  ['a row with a status that is none', { status: '-' }],
  ['a row with a time that is none', { status: '200', last: 'yesterday' }],
])('does not hold %s for a request that did not arrive', async (_title, row) => {
  const { status: _status, ...unclear } = requests(3);
  const world = {
    ...incidents.nothingArrives,
    requests: [...incidents.nothingArrives.requests, { ...unclear, ...row }],
  };

  const { findings, because, unread } = await reportOf(world);

  expect(findings[0]?.says).toBe(
    'The figures allow no conclusion: some lines of the access log (1 groups of them are unclear) could not be read.',
  );
  expect(unread).toEqual(['some lines of the access log: Error: 1 groups of them are unclear']);
  expect(Object.fromEntries(because)['Requests']).toMatch(/^557 in 60 minutes/);
});

it('needs no unclear row of the access log while others show that keys are served', async () => {
  const { status: _status, ...unclear } = requests(3);

  const { findings } = await reportOf({ requests: [requests(900), unclear] });

  expect(findings[0]?.says).toMatch(/^Nothing is wrong/);
});

it('names the state of the stack also if its cause is unread', async () => {
  const { findings } = await reportOf({
    ...incidents.failedRollback,
    ...failing('denied', 'DescribeEvents'),
  });

  expect(findings[0]?.says).toBe('The stack is in UPDATE_ROLLBACK_FAILED. The cause could not be read.');
});

it('needs no release to name what no release can have caused', async () => {
  const { findings } = await reportOf({
    ...incidents.deletedTable,
    ...failing('denied', 'GetParameterHistory'),
  });

  expect(findings[0]?.says).toMatch(/^The table of .* does not exist any more/);
});

it('does not blame a change by hand, nor need one', async () => {
  const world = { ...incidents.detachedAuthorizer, ...failing('denied', 'LookupEvents') };

  expect((await reportOf(world)).findings[0]?.says).toBe(
    '300 requests were served without a key. No release came right before. Some changes by hand could not be read.',
  );
});

it('names an access log that is empty, also if it is gone', async () => {
  const StartQuery = () => {
    throw awsError('ResourceNotFoundException', 'Log group does not exist for account ID 123456789012');
  };

  const { findings } = await reportOf({ alarms: ['AccessLogEmpty'], answers: { StartQuery } });

  expect(findings[0]?.says).toMatch(/^AccessLogEmpty: /);
});

it('fails if AWS denies everything', async () => {
  const { clients } = fakeStage({ faultOf: () => 'denied' });

  await expect(readStage(triage, 'production', { minutes: 60 }, { clients })).rejects.toThrow(
    'not authorized',
  );
});

it.each<[title: string, stack: Partial<Stack> | null]>([
  ['that does not exist', null],
  ['that is being created', { StackStatus: 'CREATE_IN_PROGRESS' }],
  ['whose first deploy has failed', { StackStatus: 'ROLLBACK_COMPLETE' }],
  ['of a change set that nobody has executed', { StackStatus: 'REVIEW_IN_PROGRESS' }],
])('takes a stack %s for a stage that is not deployed', async (_title, stack) => {
  const { clients } = fakeStage({ stacks: { 'PetStore-production': stack } });

  await expect(readStage(triage, 'production', { minutes: 60 }, { clients })).rejects.toThrow(
    'The stage production is not deployed here: npm run stage -- check production says how.',
  );
});
