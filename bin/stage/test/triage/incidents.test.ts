import type { StateValue } from '@aws-sdk/client-cloudwatch';
import type { GlobalSecondaryIndexDescription } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { alarmKinds } from '../../../../infra/monitoring/alarm-kinds.ts';
import { tableOutput } from '../../../../infra/stack-names.ts';
import { type Key, namesOf, type TableDefinition } from '../../../../shared/tables/table.ts';
import { list, table } from '../../../../test/support/contract/own-operations.ts';
import { reportText } from '../../report.ts';
import { triage } from '../../triage/triage.ts';
import { withBackground } from '../support/background.ts';
import { outputsOf, readFake, type World } from '../support/fake-stage.ts';
import { changed, failed, type Incident, incidents, itemKey, released, since } from '../support/incidents.ts';
import { idOf, settings, stack, stackOutputs, webAcl } from '../support/stack-resources.ts';
import { apiKeys, functionName, List, linesOfOthers, minutesAgo, ownTable } from '../support/stage-names.ts';
import { dayBefore, lines, requests } from '../support/traffic.ts';

const reportOf = (world: World, minutes = 60) => readFake(triage, { minutes }, withBackground(world));

const rollback = 'npm run stage -- rollback production';
const keyTypes: TableDefinition['keyTypes'] = table.keyTypes;
const keyOfItem = Object.fromEntries(
  namesOf(table.key).map((name, place) => [name, { [`${keyTypes[name]}`]: itemKey[place] }]),
);
const [[indexName, index]] = Object.entries(table.indexes) as [[string, Key]];
const indexKey = namesOf(index);
const smoke = 'BASE_URL=https://api.pets.example/v1 API_KEY=petstore_production_… npm run smoke';
const { certificateArn } = settings.domain;

/** What somebody reads until the first command or instruction, after the at most 25 words of the page. */
const wordsBeforeAction = (text: string) =>
  text.split(/\n {2}|\n\nThen|\n\nAlso|\n\nRun/)[0]?.split(/\s+/).length;

const conclusions: Readonly<Record<Incident, readonly [says: RegExp, command?: string]>> = {
  nothing: [/^Nothing is wrong, as far as the figures show it, which do not show wrong answers\.$/],
  brownout: [
    /^30\.6% of requests failed, most from 2026-11-23 19:40 UTC to 2026-11-23 20:00 UTC: service_unavailable, TimeoutError, ApiError\. No release came in the 120 minutes before\.$/,
  ],
  deletedStack: [
    /^The stack is in DELETE_IN_PROGRESS\. Its last update began at 2026-11-23 19:57 UTC\.$/,
    rollback,
  ],
  throttledTable: [/^30\.6% .* UTC: service_unavailable, ThrottlingException\. No release/],
  throttledKeys: [/^38\.2% .* UTC: service_unavailable, RequestLimitExceeded, ApiError\. No release/],
  emptiedKeys: [
    /^Keys that were accepted in the day before were denied 40 times since 2026-11-23 19:40 UTC: 2, of acme, zoo\. No release came/,
    'npm run keys -- list --stage production --client acme',
  ],
  denyingCanary: [
    /^Keys that were accepted in the day before were denied 40 times .*: 2, of acme, zoo\.$/,
    rollback,
  ],
  revokedKey: [
    /^Keys that were accepted in the day before were denied 20 times since 2026-11-23 19:40 UTC: 1, of zoo\. No release came/,
    'npm run keys -- list --stage production --client zoo',
  ],
  madeUpKeys: [
    /^906 requests had a refused key\. The authorizer logged no denial of a key that it accepted in the day before\.$/,
  ],
  damagedItem: [
    new RegExp(`^Damaged items: ${table.id} ${itemKey.join(',')}, with wrong status, name\\.$`),
    `aws dynamodb get-item --table-name ${ownTable} --key '${JSON.stringify(keyOfItem)}' --query Item --output json > item.json`,
  ],
  hotPartition: [
    new RegExp(`^TablesThrottled-${table.id}: A partition of a table or an index is at its limit\\.$`),
  ],
  lockedTable: [
    new RegExp(`^The table of ${table.id} is INACCESSIBLE_ENCRYPTION_CREDENTIALS: ${ownTable}\\.$`),
  ],
  pastOutage: [
    /^30\.6% of requests failed, most from 2026-11-23 19:10 UTC to 2026-11-23 19:35 UTC: 500\. No release/,
  ],
  deletedTable: [
    new RegExp(`^The table of ${table.id} does not exist any more: ${ownTable}\\.$`),
    `npm run stage -- restore production --table ${table.id}`,
  ],
  restoredTable: [
    new RegExp(`^The table of ${table.id} is CREATING: ${ownTable}\\.$`),
    `npm run stage -- restore production --table ${table.id}`,
  ],
  lostIndex: [
    new RegExp(`^The index ${indexName} of ${ownTable} is gone: lists that need it fail\\.$`),
    `aws dynamodb update-table --table-name ${ownTable} --attribute-definitions ${indexKey.map((name) => `AttributeName=${name},AttributeType=${keyTypes[name]}`).join(' ')} --global-secondary-index-updates '[{"Create":{"IndexName":"${indexName}","KeySchema":[{"AttributeName":"${indexKey[0]}","KeyType":"HASH"},{"AttributeName":"${indexKey[1]}","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}}]'`,
  ],
  badRelease: [
    /^10\.8% of requests failed, most from 2026-11-23 19:40 UTC to 2026-11-23 20:00 UTC: internal_error, TypeError, x is undefined\.$/,
    rollback,
  ],
  lostPermission: [
    /UTC: AccessDeniedException, not authorized to perform: dynamodb:Query\. No release came in the 120 minutes before\. alice called DeleteRolePolicy 1 min before\.$/,
  ],
  strictRelease: [
    new RegExp(`^Most requests of ${list.operationId} by zoo are rejected, unlike in the day before\\.$`),
    rollback,
  ],
  detachedAuthorizer: [
    /^300 requests were served without a key\. No release came in the 120 minutes before\. alice called UpdateFunctionConfiguration20150331v2 1 min before\.$/,
  ],
  nothingArrives: [
    /^By the access log, no request was served after 2026-11-23 19:40 UTC, and in the last 15 minutes, some arrived\. No release came in the 120 minutes before\.$/,
    smoke,
  ],
  wrongPattern: [
    /^By the access log, no request was served after 2026-11-23 19:40 UTC, and in the last 15 minutes, some arrived\.$/,
    rollback,
  ],
  blockingWebAcl: [
    /^By the access log, no request was served after 2026-11-23 19:40 UTC, and in the last 15 minutes, some arrived\. No release/,
    smoke,
  ],
  greedyClient: [/^312 requests got a 429, most of them of zoo\.$/],
  flood: [/^3,012 requests got a 429, of no single client\.$/],
  throttledFunction: [
    /^FunctionsThrottled-Authorizer: A function is out of concurrency, its own or the account's\. No release/,
    `aws lambda get-function-concurrency --function-name ${functionName('Authorizer')}`,
  ],
  emptyLog: [
    /^AccessLogEmpty: The access log lacks requests that API Gateway counts\.$/,
    `aws apigateway get-account --query '{used: cloudwatchRoleArn, ofStack: '\\''${idOf('AWS::IAM::Role', 'PetStoreApiCloudWatchRole')}'\\''}'`,
  ],
  expiringCertificate: [
    /^CertificateExpiresSoon: The domain's certificate expires within days\.$/,
    `aws acm describe-certificate --certificate-arn ${certificateArn} --query 'Certificate.[Type,Status,NotAfter,InUseBy,RenewalSummary,DomainValidationOptions]'`,
  ],
  lostDomain: [
    /^By the access log, no request was served after 2026-11-23 19:40 UTC, and in the last 15 minutes, some arrived\. No release/,
    smoke,
  ],
  clumsyClient: [
    new RegExp(
      `^RequestsRejected-${list.operationId}: Nearly all requests to an operation got a 400 or 404\\.$`,
    ),
  ],
  lostPages: [
    /^NotificationsFail: SNS could not deliver a page or a ticket\.$/,
    `aws sns list-subscriptions-by-topic --topic-arn ${idOf('AWS::SNS::Topic', 'MonitoringTopicsPage')} --query 'Subscriptions[].[Protocol,SubscriptionArn]' --output text`,
  ],
  slowRelease: [/^LatencyBurnsFast: Too many responses were slow, and some still are\.$/, rollback],
  failedRollback: [/^The stack is in UPDATE_ROLLBACK_FAILED\. Its last update began at /, rollback],
  hangingCanary: [
    /^The stack is in UPDATE_IN_PROGRESS\. Its last update began at 2026-11-23 18:50 UTC\.$/,
    rollback,
  ],
  rollbackAlarm: [
    /^Release-Authorizer: Too many requests fail, are slow or are rejected: a release in progress is rolled back\.$/,
    rollback,
  ],
  failedUpdate: [/^The stack is in UPDATE_ROLLBACK_COMPLETE\. Its last update began at /, rollback],
};

it.each(Object.entries(conclusions))('names what happened: %s', async (name, [says, command]) => {
  const world = new Map<string, World>(Object.entries(incidents)).get(name) ?? {};

  const report = await reportOf(world);

  const [first] = report.findings;
  expect(first?.says).toMatch(says);
  expect(first?.next[0]?.commands?.[0]).toBe(command);
  expect(wordsBeforeAction(reportText(report))).toBeLessThanOrEqual(45);
  expect(report.unread).toEqual([]);
});

/** The steps away from releases, by their texts. */
const releaseSteps = async (world: World) =>
  (await reportOf(world)).findings[0]?.next
    .filter(({ text }) => text.endsWith('see how to go back'))
    .map(({ text, commands }) => [text, ...(commands ?? [])]);

it('leads away from the earlier of two releases, if only that one came before', async () => {
  expect(await releaseSteps({ ...incidents.badRelease, releases: released(2, 22) })).toEqual([
    ['the release of dddddddddddd came 2 min before: see how to go back', `${rollback} --to bbbbbbbbbbbb`],
  ]);
});

it('names a release that was rolled back, and the way back', async () => {
  const releases = [['bbbbbbbbbbbb 222222222222 333333333333 bbbbbbbbbbbb', 18] as const, ...released(26)];

  expect(await releaseSteps({ ...incidents.badRelease, releases })).toEqual([
    ['the release of bbbbbbbbbbbb came 2 min after that: see how to go back', rollback],
    ['the release of cccccccccccc came 6 min before: see how to go back', `${rollback} --to bbbbbbbbbbbb`],
  ]);
});

it('names an update that has not recorded its release yet', async () => {
  const world: World = {
    ...incidents.badRelease,
    releases: released(),
    status: 'UPDATE_IN_PROGRESS',
    updated: 22,
  };

  expect(await releaseSteps(world)).toEqual([
    ['the update in progress came 2 min before: see how to go back', rollback],
  ]);
});

it.each([
  ['too long before', 141],
  ['too long after', 14],
])('names no release that came %s', async (_title, minutes) => {
  const [found] = (await reportOf({ ...incidents.badRelease, releases: released(minutes) })).findings;

  expect(found?.says).toMatch(/No release came in the 120 minutes before\.$/);
});

it('does not know when a problem began that is as old as what was read', async () => {
  const first = minutesAgo(59).getTime();
  const world = { releases: released(150, 190), requests: [requests(900), failed(100, { first })], log: [] };

  const [found] = (await reportOf(world)).findings;

  expect(found?.says).toMatch(/: 500\. It may have begun before\.$/);
  expect(found?.next[0]?.commands).toEqual(['npm run stage -- triage production --minutes 240']);
});

it('says from when most requests failed, whatever their clients', async () => {
  const clients = ['acme', 'zoo', 'farm', 'vet'].map((client) => failed(30, { client, ...since(40) }));
  const world = { requests: [requests(900), failed(40), ...clients], log: [] };

  const [found] = (await reportOf(world)).findings;

  expect(found?.says).toMatch(/ of requests failed, most from 2026-11-23 19:20 UTC to /);
});

it('names failures beside a damaged item that lists omit', async () => {
  const damaged = lines(400, { event: 'A stored item is damaged.', table: table.id, key: itemKey.join(',') });
  const world = { ...incidents.badRelease, log: [damaged, ...incidents.badRelease.log] };

  const { findings } = await reportOf(world);

  expect(findings.map(({ says }) => says)).toEqual([
    expect.stringMatching(/internal_error, TypeError, x is undefined\.$/),
    expect.stringMatching(/^Damaged items: /),
  ]);
});

it('leads back from no release whose alarm fires because DynamoDB fails', async () => {
  const { findings } = await reportOf({ ...incidents.brownout, alarms: ['Release-Errors'] });

  expect(findings[0]?.says).toMatch(/service_unavailable, TimeoutError, ApiError\. /);
  expect(findings[1]?.says).toMatch(/^Release-Errors: .*\. No release came in the 120 minutes before\.$/);
});

it.each([
  ['DynamoDB may fail', incidents.brownout],
  ['only one client has refused keys', incidents.revokedKey],
])('names the release before, but leads not away from it, if %s', async (_title, world) => {
  const [found] = (await reportOf({ ...world, releases: released(25) })).findings;

  expect(found?.says).toMatch(/ The release of cccccccccccc came 5 min before\.$/);
  expect(found?.next.flatMap(({ commands = [] }) => commands)).not.toContain(rollback);
});

it.each([
  [50, ['the release of cccccccccccc came 30 min before: see how to go back']],
  [51, []],
])('leads away from a release %i minutes ago, if the failures began right after: %j', async (ago, steps) => {
  const texts = await releaseSteps({ ...incidents.badRelease, releases: released(ago) });

  expect(texts?.map(([text]) => text)).toEqual(steps);
});

it('names beside an old release who changed what right before the failures', async () => {
  const events = [1, 2].map((minutes) => changed(minutes + 20, { name: 'DeleteTable' }));
  const iamEvents = [
    changed(51, { source: 'iam.amazonaws.com' }),
    changed(30, { name: 'DeleteRolePolicy', source: 'iam.amazonaws.com' }),
  ];
  const world = { ...incidents.badRelease, releases: released(110), events, iamEvents };

  const [found] = (await reportOf(world)).findings;

  expect(found?.says).toMatch(
    /x is undefined\. The release of cccccccccccc came 90 min before\. alice called DeleteTable 1 min before\. alice called DeleteTable 2 min before\. alice called DeleteRolePolicy 10 min before\.$/,
  );
});

it('finds a release of yesterday if it looks back for a day', async () => {
  const first = minutesAgo(1300).getTime();
  const world: World = {
    releases: released(1310),
    requests: [requests(23_000), requests(500, { status: 500, first })],
    log: [],
  };

  const [found] = (await reportOf(world, 1440)).findings;

  expect(found?.says).toMatch(/^2\.2% of requests failed, most from 2026-11-22 22:20 UTC/);
  expect(found?.next[0]?.text).toBe('the release of cccccccccccc came 10 min before: see how to go back');
});

it('says what else is wrong', async () => {
  const { findings } = await reportOf({ ...incidents.brownout, alarms: ['RequestsThrottled'] });

  expect(findings.map(({ says }) => says)).toEqual([
    expect.stringMatching(/service_unavailable, TimeoutError, ApiError\. /),
    'RequestsThrottled: Too many requests got a 429.',
  ]);
});

/** A stage of whose alarms only one of a kind is there. */
const only = (kind: string, StateValue: StateValue = 'ALARM'): World => ({
  answers: {
    DescribeAlarms: () => ({
      MetricAlarms: [
        {
          AlarmName: `${stack}-${kind}-Authorizer`,
          StateValue,
          StateTransitionedTimestamp: minutesAgo(9),
        },
      ],
    }),
  },
});

it.each(Object.keys(alarmKinds))('names the alarm %s if nothing else shows its cause', async (kind) => {
  // Without failures, no log says why.
  const { findings } = await readFake(triage, { minutes: 60 }, only(kind));

  expect(findings.map(({ says }) => says)).toEqual([
    expect.stringMatching(new RegExp(`^${kind}-Authorizer: `)),
  ]);
});

it.each([
  ['LatencyBurnsFast', true],
  ['DamagedItems', false],
  ['RequestsRejected', false],
])('names releases before %s: %s', async (kind, isNamed) => {
  expect(await releaseSteps({ ...only(kind), releases: released(12) })).toHaveLength(isNamed ? 1 : 0);
});

it('names alarms without data, which are not well', async () => {
  const { findings, because } = await reportOf(only('OperationDown', 'INSUFFICIENT_DATA'));

  expect(findings.map(({ says }) => says)).toEqual([
    'Alarms without data, which do not say that all is well: OperationDown-Authorizer.',
  ]);
  expect(because).toContainEqual(['Alarms', 'OperationDown-Authorizer has no data']);
});

it('names no index of a table that does not exist', async () => {
  const { findings } = await reportOf(incidents.deletedTable);

  expect(findings.map(({ says }) => says).join()).not.toContain('index');
});

it('prints a step that helps against several things once', async () => {
  const text = reportText(await reportOf(incidents.deletedTable));

  expect(text.match(/tell clients: /g)).toHaveLength(1);
});

it('finds keys that were served among more made-up ones than a query returns', async () => {
  const madeUp = Array.from({ length: 10_000 }, (_, index) => lines(1, { keyId: `made-up-${index}` }));
  const { denied, ...world } = incidents.revokedKey;

  const { findings } = await readFake(
    triage,
    { minutes: 60 },
    { ...world, denied: [...madeUp, ...denied], pageSize: 5000 },
  );

  expect(findings[0]?.says).toMatch(
    /^Keys that were accepted in the day before were denied 20 times since .*: 1, of zoo\./,
  );
});

it('names few failures if most requests fail', async () => {
  const { findings } = await readFake(
    triage,
    { minutes: 60 },
    { requests: [requests(2), failed(3)], earlier: [] },
  );

  expect(findings[0]?.says).toMatch(/^60\.0% of requests failed, most from .* UTC: 500\./);
});

it('leaves to the runbook what throttled requests have in common', async () => {
  const [found] = (await reportOf(incidents.greedyClient)).findings;

  expect(found?.next).toEqual([{ text: 'see docs/runbook.md#requests-are-throttled' }]);
});

it('asks from outside once an alarm says so, also where few requests are usual', async () => {
  const earlier = [requests(100, { ...dayBefore, last: minutesAgo(300).getTime() })];
  const world = { alarms: ['NothingServed'], requests: [], earlier };

  const { findings } = await readFake(triage, { minutes: 60 }, world);

  expect(findings[0]?.next[0]?.commands).toEqual([smoke]);
});

it('says since when nothing was served, also if that is long ago', async () => {
  const earlier = [requests(450, { ...dayBefore, last: minutesAgo(180).getTime() })];

  const { findings } = await readFake(triage, { minutes: 60 }, { requests: [], earlier });

  expect(findings[0]?.says).toBe(
    'By the access log, no request was served after 2026-11-23 17:00 UTC, and in the last 15 minutes, none arrived. No release came in the 120 minutes before.',
  );
});

it('misses no client where only scanners are usual', async () => {
  const scanners = { client: '-', keyId: '-', status: 401, waf: 'WAF_BLOCK' };
  const world = {
    requests: [requests(40, scanners)],
    earlier: [requests(900, { ...scanners, ...dayBefore })],
  };

  const { findings } = await readFake(triage, { minutes: 60 }, world);

  expect(findings[0]?.says).toMatch(/^Nothing is wrong/);
});

it('fills in what detaches a web ACL, but asks to look before', async () => {
  const [found] = (await reportOf(incidents.blockingWebAcl)).findings;

  expect(found?.next.slice(1, 3).map(({ commands }) => commands?.[0])).toEqual([
    `aws wafv2 disassociate-web-acl --resource-arn ${webAcl.api}`,
    `aws wafv2 associate-web-acl --resource-arn ${webAcl.api} --web-acl-arn ${webAcl.acl}`,
  ]);
});

it.each([
  ['is being built, which takes long', 'CREATING', / is CREATING: lists that need it fail\.$/],
  ['serves while its limits change', 'UPDATING', /^Nothing is wrong/],
])('recreates no index that %s', async (_title, IndexStatus, says) => {
  const indexes = Object.keys(table.indexes).map((IndexName) => ({
    IndexName,
    IndexStatus: IndexName === indexName ? IndexStatus : 'ACTIVE',
  })) as GlobalSecondaryIndexDescription[];
  const { findings } = await reportOf({
    updated: 120,
    tables: { [ownTable]: { GlobalSecondaryIndexes: indexes }, [apiKeys]: 9 },
  });

  expect(findings[0]?.says).toMatch(says);
  expect(findings[0]?.next.flatMap(({ commands = [] }) => commands)).toEqual([]);
});

it('expects no index that is not deployed yet', async () => {
  const answers = { GetTemplate: () => ({ TemplateBody: '{}' }) };

  expect((await reportOf({ ...incidents.lostIndex, answers })).findings[0]?.says).toMatch(
    /^Nothing is wrong/,
  );
});

it('expects no table that is not deployed yet', async () => {
  const { [tableOutput(table.id)]: _later, ...deployed } = stackOutputs;

  expect(
    (await reportOf({ stacks: { [stack]: { Outputs: outputsOf(deployed) } } })).findings[0]?.says,
  ).toMatch(/^Nothing is wrong/);
});

it('holds an alarm for over as soon as its shorter window is', async () => {
  const { findings } = await reportOf({ alarms: ['LatencyBurnsFast'] });

  expect(findings[0]?.says).toMatch(/^Nothing is wrong/);
});

it('names an alarm that it does not know', async () => {
  expect((await reportOf(only('Ours'))).findings[0]?.says).toBe(
    'Ours-Authorizer: this version knows no such alarm.',
  );
});

it('prints the figures', async () => {
  const report = await reportOf({
    ...incidents.strictRelease,
    alarms: ['KeysRefused'],
    events: [changed(90)],
  });

  const text = reportText(report)
    .replaceAll(linesOfOthers, '')
    .replaceAll(List, 'ListNotes')
    .replaceAll(/(?<=ListNotes(Function|Logs))[0-9A-F]{8}/g, '00000000')
    .replaceAll(list.operationId, 'listNotes')
    .replaceAll(ownTable, 'PetStore-production-TablesNotes')
    .replaceAll(` ${table.id}: `, ' notes: ');
  expect(text).toMatchInlineSnapshot(`
    "Most requests of listNotes by zoo are rejected, unlike in the day before.

    Next (role: on-call): the release of cccccccccccc came 3 min before: see how to go back
      AWS_PROFILE=production-on-call npm run stage -- rollback production

    Then: tell the client what is wrong: docs/runbook.md#requests-are-rejected

    Also: KeysRefused: Too many requests had a refused key.
    Next: see docs/runbook.md#keys-are-refused

    Run this again after each step.

    Read at 2026-11-23T20:00:00.000Z, role on-call:
    Stack         PetStore-production UPDATE_COMPLETE, updated at 2026-11-20 20:00 UTC, API a1b2c3d4e5
    Alarms        KeysRefused since 2026-11-23 19:45 UTC
    Releases      cccccccccccc at 2026-11-23 19:35 UTC
                  bbbbbbbbbbbb at 2026-11-21 01:20 UTC
    By hand       2026-11-23 18:30 UTC alice called UpdateFunctionConfiguration20150331v2 on PetStore-production-ListNotesFunction00000000-1A2B3C4D5E6F
                  since 2026-11-23 17:00 UTC; later than 2026-11-23 19:45 UTC, CloudTrail may not show all
      in IAM      none since 2026-11-23 17:00 UTC; later than 2026-11-23 19:45 UTC, CloudTrail may not show all
    Requests      1,007 in 60 minutes: 959 served, 9 failed (0.9%), 6 with a refused key, 12 throttled, 30 blocked by the web ACL
      not served  50 × 400 - listNotes by zoo
                  30 × 401 - listNotes by -
                  12 × 429 THROTTLED listNotes by -
                  9 × 500 - GET /unrelated by -
                  6 × 401 ACCESS_DENIED listNotes by -
    Logged        9 times by PetStore-production-ListNotesLogs00000000-1A2B3C4D5E6F version 7: internal_error, Error, unrelated
    Tables        notes: PetStore-production-TablesNotes ACTIVE, 12,000 items up to six hours ago
                  apiKeys: PetStore-production-TablesApiKeys-1A2B3C4D5E6F ACTIVE, 9 items up to six hours ago
                  not used: PetStore-production-restored-apiKeys-202609010300 ACTIVE, 3 items up to six hours ago"
  `);
});
