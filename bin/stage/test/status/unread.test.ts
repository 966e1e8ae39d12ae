import { expect, it, vi } from 'vitest';
import { list, table } from '../../../../test/support/contract/own-operations.ts';
import { readStage } from '../../read-stage.ts';
import { reportText } from '../../report.ts';
import { status } from '../../status/status.ts';
import { withBackground } from '../support/background.ts';
import { failing, fakeStage, readFake, type World } from '../support/fake-stage.ts';
import { changed, incidents, released } from '../support/incidents.ts';
import { idOf, settings } from '../support/stack-resources.ts';
import { functionName, List, ownTable } from '../support/stage-names.ts';

const { operationId: listId } = list;
const reportOf = (world: World) => readFake(status, { minutes: 60 }, world);
const rowsOf = async (world: World) =>
  (await reportOf(world)).sections?.flatMap(({ rows }) =>
    rows.map(({ title, text }) => `${title} ${text}`),
  ) ?? [];

const world = withBackground({ ...incidents.badRelease, releases: released(24), events: [changed(21)] });

it.each([
  [
    'DescribeAlarms',
    /^Alarms NOT READ: alarms: AccessDenied: User: .* is not authorized to perform: DescribeAlarms$/,
  ],
  ['DescribeAlarmHistory', /^ alarm: NOT READ: history of alarms: AccessDenied/],
  ['DescribeStackEvents', /^ stack: NOT READ: events of the stack: AccessDenied/],
  ['DescribeTable', /^Tables NOT READ: tables: AccessDenied/],
  ['DescribeTimeToLive', /^Tables NOT READ: time to live: AccessDenied/],
  ['GetAlias', /^Functions NOT READ: alias of PetStore-production-.*, .*: AccessDenied/],
  ['GetCallerIdentity', /^production NOT READ: caller: AccessDenied/],
  ['GetMetricData', /^Blocked by rule NOT READ: the web ACL's metrics: AccessDenied/],
  ['GetParameterHistory', /^ release: NOT READ: releases: AccessDenied/],
  ['LookupEvents', /^ in IAM: NOT READ: changes in IAM: AccessDenied/],
  ['StartQuery', /^Errors logged NOT READ: PetStore-production-.*, .*: AccessDenied/],
])('says in its place what %s would show, and the rest all the same', async (call, expected) => {
  const nowOf = async (own: World) => (await reportOf(own)).sections?.[0]?.rows ?? [];
  const isWhole = ({ text }: { text: string }) => !/NOT READ|\?/.test(text);

  const rows = await rowsOf({ ...world, ...failing('denied', call) });

  expect(rows).toContainEqual(expect.stringMatching(expected));
  const now = await nowOf({ ...world, ...failing('denied', call) });
  const unread = now.filter((row) => !isWhole(row)).map(({ title }) => title);
  const isRead = ({ title }: { title: string }) => !unread.includes(title);
  expect(now.filter(isRead)).toEqual((await nowOf(world)).filter(isRead));
});

it('shows the stack as unread once, with what AWS says', async () => {
  const rows = await rowsOf({ ...world, ...failing('denied', 'DescribeStacks') });

  expect(rows.filter((row) => /AccessDenied/.test(row))).toEqual([
    expect.stringMatching(/^Stack NOT READ: stack: AccessDenied: User: /),
  ]);
  expect(rows).toContain('Alarms none of 49 in ALARM');
  expect(rows).toContain('Functions NOT READ without the stack');
});

it('shows no number of an access log that was not read', async () => {
  const rows = await rowsOf({ ...world, ...failing('denied', 'StartQuery') });

  expect(rows).toContain(`Requests ${listId}: served ?/?/?`);
  expect(rows).toContainEqual(
    expect.stringMatching(
      /^Requests NOT READ: access log of the last 5 minutes, .* hour, .* day before: AccessDeniedException: [^:]*: arn:[^;]*$/,
    ),
  );
});

it('shows what all other functions serve, if one is gone', async () => {
  const faultOf: World['faultOf'] = ({ command, input }) =>
    command === 'GetAlias' && JSON.stringify(input).includes(functionName(List)) ? 'denied' : undefined;

  const rows = await rowsOf({ ...world, faultOf });

  expect(rows).toContain(`Functions ${functionName('Authorizer')}: 100% version 6 (in no record)`);
  expect(rows).toContainEqual(
    expect.stringMatching(new RegExp(`^Functions NOT READ: alias of ${functionName(List)}: AccessDenied`)),
  );
});

it('shows the logs of all other functions, if one is gone', async () => {
  const gone = idOf('AWS::Logs::LogGroup', 'AuthorizerLogs');
  const faultOf: World['faultOf'] = ({ command, input }) =>
    command === 'StartQuery' && JSON.stringify(input).includes(gone) ? 'denied' : undefined;

  const rows = await rowsOf({ ...world, faultOf });

  expect(rows).toContainEqual(expect.stringMatching(/x is undefined$/));
  expect(rows).toContainEqual(expect.stringMatching(new RegExp(`^Errors logged NOT READ: ${gone}: `)));
});

it('shows the last hour, if the query of the day before does not end', async () => {
  const { clients } = fakeStage(world);
  const { send } = clients.logs;
  const isOfDay = new Set<unknown>();
  clients.logs.send = async (sent: { input: { queryId?: string; endTime?: number } }) => {
    if (isOfDay.has(sent.input.queryId)) return { status: 'Running', results: [] };
    const answer = await Reflect.apply(send, clients.logs, [sent]);
    if (sent.input.endTime === new Date('2026-11-23T19:00Z').getTime() / 1000) isOfDay.add(answer.queryId);
    return answer;
  };

  const text = reportText(await readStage(status, 'production', { minutes: 60 }, { clients, settings }));

  expect(text).toMatch(new RegExp(String.raw`${listId}: served 76/900/\?, `));
  expect(text).toContain('NOT READ: access log of the day before: Error: The query took over a minute.');
});

it('counts whole minutes of the metrics, whatever the second', async () => {
  const { clients } = fakeStage({});
  const seconds = clients.clock.now().getTime() + 30_000;
  clients.clock.now = () => new Date(seconds);

  const text = reportText(await readStage(status, 'production', { minutes: 60 }, { clients, settings }));

  expect(text).toContain('API Gateway: Count 85/1,020/1,020,');
});

it('says nothing of the time to live of a table that is lost', async () => {
  const rows = await rowsOf(incidents.deletedTable);

  expect(rows).toContainEqual(
    expect.stringMatching(new RegExp(`^Tables ${table.id}: ${ownTable} DOES NOT EXIST$`)),
  );
});

it('is done within 20 seconds where each query takes 5', async () => {
  vi.useFakeTimers();
  const { clients } = fakeStage({ ...world, pageSize: 50 });
  const began = new Map<unknown, number>();
  const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  clients.clock.pause = async (milliseconds) => void (await wait(milliseconds));
  for (const client of Object.values(clients)) {
    if (!('send' in client)) continue;
    const { send } = client;
    Object.assign(client, {
      send: async (sent: { input: { queryId?: string } }) => {
        await wait(300);
        const started = began.get(sent.input.queryId);
        if (started !== undefined && Date.now() < started + 5000) return { status: 'Running', results: [] };
        let answer = await Reflect.apply(send, client, [sent]);
        // The fake has its own way to the end.
        while (started !== undefined && answer.status !== 'Complete') {
          answer = await Reflect.apply(send, client, [sent]);
        }
        if (answer.queryId) began.set(answer.queryId, Date.now());
        return answer;
      },
    });
  }

  const done = vi.fn();
  const report = readStage(status, 'production', { minutes: 60 }, { clients, settings }).then(done);
  await vi.advanceTimersByTimeAsync(20_000);
  vi.useRealTimers();

  expect(done).toHaveBeenCalledOnce();
  expect(done.mock.calls[0]?.[0].unread).toEqual([]);
  await report;
});

it.each([
  ['a cold start', { name: 'CreateLogStream', role: true }],
  ['a deploy', { service: 'cloudformation.amazonaws.com' }],
  ['a shift of requests by CodeDeploy', { service: 'codedeploy.amazonaws.com' }],
  ['a call that failed', { errorCode: 'AccessDenied' }],
  ['a change of another stage', { parameters: { functionName: 'PetStore-staging-Authorizer' } }],
])('lists among changes no %s', async (_title, { role, service, ...fields }: Record<string, unknown>) => {
  const { callers } = await import('../support/trail-events.ts');
  const ownRole = idOf('AWS::IAM::Role', `${List}Role`);
  const caller = role
    ? callers.role(ownRole, functionName(List))
    : service
      ? callers.service(`${service}`, 'cdk-hnb659fds-cfn-exec-role-1-r')
      : callers.person('alice');

  const rows = await rowsOf({ events: [changed(21, { caller, ...fields })] });

  expect(rows.filter((row) => row.includes(' change '))).toEqual([]);
});

it('fails if AWS denies everything', async () => {
  const { clients } = fakeStage({ faultOf: () => 'denied' });

  await expect(readStage(status, 'production', { minutes: 60 }, { clients })).rejects.toThrow(
    'not authorized',
  );
});
