import type { Stack } from '@aws-sdk/client-cloudformation';
import { expect, it } from 'vitest';
import { readStage } from '../../read-stage.ts';
import { triage } from '../../triage/triage.ts';
import { awsError } from '../support/aws-errors.ts';
import { withBackground } from '../support/background.ts';
import { expectSameOrUnread } from '../support/expect-same-or-unread.ts';
import { failing, fakeStage, readFake, type World } from '../support/fake-stage.ts';
import { incidents } from '../support/incidents.ts';
import { requests } from '../support/traffic.ts';

const reportOf = (world: World) => readFake(triage, { minutes: 60 }, withBackground(world));

it('concludes the same, or that a fact could not be read, whatever goes wrong with calls', async () => {
  const {
    nothing,
    deletedTable,
    lostIndex,
    brownout,
    badRelease,
    lostPermission,
    emptiedKeys,
    madeUpKeys,
    failedRollback,
  } = incidents;
  const worlds = {
    nothing,
    deletedTable,
    lostIndex,
    brownout,
    badRelease,
    lostPermission,
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
    'Incomplete, because this could not be read: tables (ThrottlingException).',
    expect.stringMatching(/^Keys that were accepted in the day before were denied /),
  ]);
  expect(findings[0]?.next).toEqual([{ text: 'run this again' }]);
  expect(unread).toEqual(['tables: ThrottlingException: Rate exceeded']);
});

it.each([
  ['none', {}],
  ['-', { status: '-' }],
])('holds no request for failed or not served whose status is %s', async (_title, status) => {
  const { status: _status, ...unclear } = requests(3);
  const world = { requests: [...incidents.nothingArrives.requests, { ...unclear, ...status }] };

  const { findings, unread } = await reportOf(world);

  expect(findings[0]?.says).toMatch(/^Nothing is wrong/);
  expect(unread).toEqual([]);
});

it('concludes nothing from requests if one has a time that is none', async () => {
  const world = { ...incidents.madeUpKeys, earlier: [requests(3, { last: 'yesterday' })] };

  const { findings, unread } = await reportOf(world);

  expect(findings[0]?.says).toMatch(/could not be read: requests of the day before \(ValiError\)\.$/);
  expect(findings.map(({ says }) => says)).not.toContainEqual(
    expect.stringContaining('a key that it accepted'),
  );
  expect(unread).toEqual([expect.stringMatching(/^requests of the day before: ValiError: /)]);
});

it('knows a key of the day before, also of a request with an unclear status', async () => {
  const {
    earlier: [, ofZoo = {}],
    ...world
  } = incidents.revokedKey;

  const { findings } = await reportOf({ ...world, earlier: [{ ...ofZoo, status: '-' }] });

  expect(findings[0]?.says).toMatch(/^Keys that were accepted in the day before were denied .*: 1, of zoo\./);
});

it('says that requests fail, also if alarms are unread', async () => {
  const { findings } = await reportOf({ ...incidents.badRelease, ...failing('denied', 'DescribeAlarms') });

  expect(findings.map(({ says }) => says)).toEqual([
    expect.stringMatching(/could not be read: alarms \(AccessDenied\)\.$/),
    expect.stringMatching(/^10\.8% of requests failed/),
  ]);
  expect(findings[0]?.next).toEqual([{ text: 'your role lacks the permission for DescribeAlarms' }]);
  expect(findings[1]?.next[0]?.commands).toEqual(['npm run stage -- rollback production']);
});

it('names an alarm, also if the logs are unread', async () => {
  const { findings } = await reportOf({
    ...incidents.slowRelease,
    ...failing('denied', 'StartQuery'),
  });

  expect(findings.map(({ says }) => says)).toEqual([
    expect.stringMatching(/could not be read: requests /),
    expect.stringMatching(/^LatencyBurnsFast: /),
  ]);
});

it('needs no release to name what no release can have caused', async () => {
  const { findings } = await reportOf({
    ...incidents.deletedTable,
    ...failing('denied', 'GetParameterHistory'),
  });

  expect(findings[0]?.says).toMatch(/^The table of .* does not exist any more/);
});

it('says that changes by hand are unread, but concludes the same', async () => {
  const world = { ...incidents.detachedAuthorizer, ...failing('denied', 'LookupEvents') };

  expect((await reportOf(world)).findings[0]?.says).toBe(
    '300 requests were served without a key. No release came in the 120 minutes before. Some changes by hand could not be read.',
  );
});

it('names what failed, but no way back, if releases are unread', async () => {
  const world = { ...incidents.badRelease, ...failing('denied', 'GetParameterHistory') };

  expect((await reportOf(world)).findings[0]?.says).toMatch(
    /x is undefined\. Whether a release came before could not be read\.$/,
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
