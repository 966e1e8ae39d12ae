import { expect, it } from 'vitest';
import { create, list, table } from '../../../../test/support/contract/own-operations.ts';
import { reportText } from '../../report.ts';
import { status } from '../../status/status.ts';
import { withBackground } from '../support/background.ts';
import { readFake, type World } from '../support/fake-stage.ts';
import { changed, failed, incidents, released, since, until, zoo } from '../support/incidents.ts';
import { idOf } from '../support/stack-resources.ts';
import { apiKeys, List, logOf, minutesAgo, ownTable, roleOf } from '../support/stage-names.ts';
import { dayBefore, lines, requests } from '../support/traffic.ts';
import { aliasMoved, callers } from '../support/trail-events.ts';

/** What is printed, without the columns. */
const textOf = async (world: World) =>
  reportText(await readFake(status, { minutes: 60 }, world)).replaceAll(/ +/g, ' ');

const { operationId: listId } = list;
const { operationId: createId } = create;
const webAclName = 'PetStore-production-WebAcl';
const listName = idOf('AWS::Lambda::Function', `${List}Function`);
const throttled = { status: 429, responseType: 'THROTTLED' };
const alarm = (name: string, minutes: number, from: string, to: string) => ({
  AlarmName: `PetStore-production-${name}`,
  AlarmType: name === 'Page' ? ('CompositeAlarm' as const) : ('MetricAlarm' as const),
  Timestamp: minutesAgo(minutes),
  HistoryItemType: 'StateUpdate' as const,
  HistorySummary: `Alarm updated from ${from} to ${to}`,
  HistoryData: JSON.stringify({
    version: '1.0',
    oldState: { stateValue: from, stateReason: 'Threshold Crossed' },
    newState: { stateValue: to, stateReason: 'Threshold Crossed' },
  }),
});

const worlds: Readonly<Record<string, readonly [World, ...(string | RegExp)[]]>> = {
  'a defect older than a release': [
    {
      releases: released(26),
      requests: [requests(900), failed(100, since(50))],
      log: [
        lines(55, { ...since(50), ...until(25), version: 6, error: 'TypeError', text: 'x is undefined' }),
        lines(45, { ...since(24), version: 7, error: 'TypeError', text: 'x is undefined' }),
      ],
      alarmHistory: [alarm('Page', 44, 'OK', 'ALARM'), alarm(`OperationDown-${listId}`, 45, 'OK', 'ALARM')],
    },
    /version 6: 55 times, 11-23 19:10 to 11-23 19:35: TypeError, x is undefined/,
    /version 7: 45 times, 11-23 19:36 to 11-23 20:00: TypeError, x is undefined/,
    `11-23 19:10 requests ${listId} 500: 100, last 11-23 20:00, of acme`,
    `11-23 19:15 alarm OperationDown-${listId} from OK to ALARM: Most requests to an operation got a 5xx`,
    '11-23 19:16 alarm Page from OK to ALARM',
    '11-23 19:34 release cccccccccccc after bbbbbbbbbbbb',
  ],
  'throttled reads and a release that breaks creates': [
    {
      releases: released(27),
      requests: [failed(300, { status: 503, ...since(50) }), failed(40, { method: 'POST', ...since(26) })],
      log: [
        lines(300, { ...since(50), error: 'ThrottlingException', text: 'Throughput exceeds' }),
        lines(40, { ...since(26), error: 'TypeError', text: 'name is undefined' }),
      ],
    },
    `11-23 19:10 requests ${listId} 503: 300`,
    '11-23 19:33 release cccccccccccc',
    `11-23 19:34 requests ${createId} 500: 40`,
    /300 times, .*: ThrottlingException, Throughput exceeds/,
    /40 times, .*: TypeError, name is undefined/,
  ],
  'over since three minutes': [
    {
      requests: [requests(1000), failed(50, { ...since(20), ...until(8) })],
      alarms: ['GatewayErrors'],
      alarmsAs: { Page: { StateValue: 'OK', StateTransitionedTimestamp: minutesAgo(3) } },
      alarmHistory: [alarm('Page', 3, 'ALARM', 'OK'), alarm('Page', 18, 'OK', 'ALARM')],
    },
    new RegExp(String.raw`${listId}: served 85/1,000/[\d.]+, .*failed 0/50/0`),
    '11-23 19:57 alarm Page from ALARM to OK',
    `11-23 19:40 requests ${listId} 500: 50, last 11-23 19:52`,
  ],
  'an access log that is late': [
    { requests: [requests(700, until(18))], metrics: { Count: () => 17 } },
    'newest line 11-23 19:42, 18 min ago',
    /API Gateway: Count 85\/1,020\/1,020/,
    `${listId}: served 0/700`,
  ],
  'all pets deleted': [
    {
      requests: [requests(400, { status: 404, ...since(30) })],
      earlier: [requests(20_000, dayBefore)],
    },
    `${listId}: served 0/0/833.3, 404 67/400/0`,
    `11-23 19:30 requests ${listId} 404: 400`,
  ],
  'time to live on a wrong attribute': [
    {
      timesToLive: { [ownTable]: 'createdAt' },
      events: [
        changed(40, {
          name: 'UpdateTimeToLive',
          source: 'dynamodb.amazonaws.com',
          parameters: { tableName: ownTable },
        }),
      ],
    },
    new RegExp(`${table.id}: ${ownTable} ACTIVE, .*time to live createdAt`),
    `11-23 19:20 change alice (role AWSReservedSSO_Admin_0a1b) called UpdateTimeToLive on ${ownTable}`,
  ],
  'a rule of another team before those of the web ACL': [
    {
      requests: [
        requests(500),
        requests(90, { method: 'POST', status: 403, waf: 'WAF_BLOCK', client: '-', ...since(30) }),
      ],
      metrics: {
        Count: () => 17,
        ALL: (ago) => (ago < 30 ? 3 : 0),
        'AWS-Common': (ago) => (ago < 30 ? 3 : 0),
      },
      events: [
        changed(31, {
          name: 'UpdateWebACL',
          source: 'wafv2.amazonaws.com',
          parameters: { name: webAclName, scope: 'REGIONAL', id: '1a2b' },
        }),
      ],
    },
    'Blocked by rule ALL 15/87/0, AWS-Common 15/87/0',
    `${createId}: blocked 15/90/0`,
    `called UpdateWebACL on ${webAclName}`,
  ],
  'alarms whose actions are disabled': [
    { alarmsAs: { Page: { ActionsEnabled: false }, 'requests-fail': { ActionsEnabled: false } } },
    'actions disabled Page, requests-fail',
  ],
  'an empty access log': [
    incidents.emptyLog,
    /AccessLogEmpty since .*: The access log lacks requests .*#the-access-log-is-empty\)/,
  ],
  'alarms without data': [
    { alarmsAs: { AccessLogEmpty: { StateValue: 'INSUFFICIENT_DATA' } } },
    'without data AccessLogEmpty',
  ],
  'alarms that are gone': [
    { answers: { DescribeAlarms: () => ({ MetricAlarms: [], CompositeAlarms: [] }) } },
    /do not exist (\S+, ){5}\S+ and 43 more/,
  ],
  'many kinds of errors beside those of a release': [
    {
      log: [
        ...['E', 'F', 'G', 'H'].map((error) => lines(500, { version: 6, error, text: 'known' })),
        lines(10, { log: logOf('CreatePet'), error: 'TypeError', text: 'name is undefined' }),
      ],
    },
    /10 times, .*: TypeError, name is undefined/,
    'and 2 more',
  ],
  'a client that sends most of what is throttled': [
    { requests: [requests(100), requests(290, { ...zoo, ...throttled }), requests(10, throttled)] },
    `${listId} 429 THROTTLED: 300, last 11-23 20:00, of zoo (290), acme (10)`,
  ],
  'a ticket that is held back': [
    { alarmsAs: { 'requests-fail': { StateValue: 'ALARM', ActionsSuppressedBy: 'Alarm' } } },
    'requests-fail since 11-23 19:45, its actions held back (Alarm): More requests get a 5xx than the objective allows.',
  ],
  'a provisioned table': [
    {
      tables: {
        [ownTable]: {
          TableStatus: 'ACTIVE',
          BillingModeSummary: { BillingMode: 'PROVISIONED' },
          ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 1 },
        },
        [apiKeys]: 9,
      },
    },
    'PROVISIONED 5 read and 1 write units',
  ],
  'a tenth of an alias on another version': [
    {
      releases: released(200),
      aliasOf: (name) => (name === listName ? { version: 6, canary: 7 } : { version: 6 }),
      events: [aliasMoved(50, listName, 6, { weights: { 7: 0.1 } })],
    },
    `Functions ${listName}: 90% version 6 (in no record), 10% version 7 (in no record)`,
    `11-23 19:10 alias ${listName} to 90% version 6, 10% version 7, by alice`,
  ],
  "a budget's deny": [
    {
      iamEvents: [
        changed(21, {
          name: 'AttachRolePolicy',
          source: 'iam.amazonaws.com',
          parameters: { roleName: roleOf(List), policyArn: 'arn:aws:iam::123456789012:policy/Deny' },
          caller: callers.service('budgets.amazonaws.com', 'BudgetRole'),
        }),
      ],
      log: [
        lines(40, {
          error: 'AccessDeniedException',
          text: `User: ${'x'.repeat(200)} is not authorized to perform: dynamodb:Query with an explicit deny in an identity-based policy`,
        }),
      ],
    },
    `(role BudgetRole, through budgets.amazonaws.com) called AttachRolePolicy on ${roleOf(List)}`,
    'with an explicit deny in an identity-based policy',
  ],
  'API Gateway writing with another role': [
    {
      events: [
        changed(21, {
          name: 'UpdateAccount',
          source: 'apigateway.amazonaws.com',
          parameters: { patchOperations: [{ op: 'replace', path: '/cloudwatchRoleArn', value: 'x' }] },
        }),
      ],
    },
    'called UpdateAccount on the account',
    /see whether API Gateway uses it\n AWS_PROFILE=production-on-call aws apigateway get-account --query /,
  ],
  'a lost table': [
    incidents.deletedTable,
    new RegExp(
      `${ownTable} DOES NOT EXIST.*\\n AWS_PROFILE=production-restore npm run stage -- restore production --table ${table.id}\\n`,
    ),
  ],
  'a lost index': [
    incidents.lostIndex,
    /, NO INDEX byStatus\n AWS_PROFILE=production-admin aws dynamodb update-table --table-name .* --attribute-definitions AttributeName=status,AttributeType=S AttributeName=id,AttributeType=N /,
  ],
  'a damaged item': [
    incidents.damagedItem,
    /Damaged items pets 42; wrong in the first: status, name\n AWS_PROFILE=production-on-call aws dynamodb get-item .*\n AWS_PROFILE=production-on-call aws dynamodb put-item /,
  ],
  'keys that are gone': [
    incidents.emptiedKeys,
    'Keys 1 accepted in the 25 hours before, of acme, were denied 20 times',
  ],
  'requests served without a key': [incidents.detachedAuthorizer, /served without a key 75\/300\/0/],
  'a failed update': [
    {
      status: 'UPDATE_ROLLBACK_COMPLETE',
      stackEvents: [
        {
          StackId: 'arn:aws:cloudformation:us-east-1:123456789012:stack/PetStore-production/1a2b',
          EventId: '1',
          StackName: 'PetStore-production',
          LogicalResourceId: 'ReleasesListPets',
          Timestamp: minutesAgo(12),
          ResourceStatus: 'UPDATE_FAILED',
          ResourceStatusReason: 'Deployment failed: an alarm fired',
        },
      ],
    },
    'PetStore-production UPDATE_ROLLBACK_COMPLETE',
    '11-23 19:48 stack ReleasesListPets UPDATE_FAILED: Deployment failed: an alarm fired',
  ],
};

it.each(Object.entries(worlds))('shows what decides: %s', async (_title, [world, ...expected]) => {
  const text = await textOf(world);

  for (const line of expected) {
    if (typeof line === 'string') expect(text).toContain(line);
    else expect(text).toMatch(line);
  }
});

it.each(
  Object.entries({
    ...incidents,
    ...Object.fromEntries(Object.entries(worlds).map(([name, [world]]) => [name, world])),
  }),
)('shows in at most 40 lines what is now, without a verdict: %s', async (_title, world: World) => {
  const [now = '', timeline = ''] = (await textOf(withBackground(world))).split('\n\n');

  expect(now.split('\n').length).toBeLessThanOrEqual(40);
  expect(`${now}${timeline}`).not.toMatch(/\bNext\b|is wrong|\bmost\b|suspect|NOT READ/);
});

it('begins with the account, the region, the caller and the time of AWS', async () => {
  expect(await textOf({})).toMatch(
    /^NOW\nproduction account 123456789012, us-east-1, as arn:aws:iam::123456789012:user\/ann, 2026-11-23 20:00 UTC\n/,
  );
});

it('shows in the wrong region who asks where', async () => {
  const text = reportText(
    await readFake(status, { minutes: 60 }, { stacks: { 'PetStore-production': null } }),
  );

  expect(text).toBe(
    [
      'NOW',
      'production  account 123456789012, us-east-1, as arn:aws:iam::123456789012:user/ann, 2026-11-23 20:00 UTC',
      'Stack       PetStore-production does not exist in this account and region: npm run stage -- check production',
    ].join('\n'),
  );
});

it('shows the ids that commands need', async () => {
  const text = await textOf({});

  expect(text).toContain(`API a1b2c3d4e5, page topic ${idOf('AWS::SNS::Topic', 'MonitoringTopicsPage')}`);
  expect(text).toMatch(/\n AWS_PROFILE=production-on-call aws wafv2 disassociate-web-acl --resource-arn /);
  expect(text).toMatch(
    /\n AWS_PROFILE=production-on-call aws wafv2 associate-web-acl --resource-arn .* --web-acl-arn /,
  );
});

it('says how much of a list it leaves out', async () => {
  const events = Array.from({ length: 20 }, (_, index) => changed(index + 1));
  const alarms = ['GatewayErrors', 'NothingServed', 'OperationDown', 'Release', 'OperationSlow'];

  const text = await textOf({ events, alarms });

  expect(text.match(/ change alice /g)).toHaveLength(12);
  expect(text).toContain('change: 8 more are left out, none after 11-23 19:47');
  expect(text).toMatch(/\n and \d+ more\n/);
});
