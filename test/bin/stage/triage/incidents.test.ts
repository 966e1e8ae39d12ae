import type { GlobalSecondaryIndexDescription } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { reportText } from '../../../../bin/stage/report.ts';
import { triage } from '../../../../bin/stage/triage/triage.ts';
import { tableOutput } from '../../../../infra/stack-names.ts';
import { type Key, namesOf, type TableDefinition } from '../../../../shared/tables/table.ts';
import { list, table } from '../../../support/contract/own-operations.ts';
import { withBackground } from '../../../support/stage/background.ts';
import { outputsOf, readFake, type World } from '../../../support/stage/fake-stage.ts';
import {
  changed,
  failed,
  type Incident,
  incidents,
  itemKey,
  released,
} from '../../../support/stage/incidents.ts';
import { idOf, settings, stack, stackOutputs, webAcl } from '../../../support/stage/stack-resources.ts';
import {
  apiKeys,
  functionName,
  List,
  linesOfOthers,
  minutesAgo,
  ownTable,
} from '../../../support/stage/stage-names.ts';
import { dayBefore, lines, requests } from '../../../support/stage/traffic.ts';

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
    /^30\.6% of requests fail since 2026-11-23 19:40 UTC\. DynamoDB is slow or fails \(TimeoutError, ApiError\)\.$/,
  ],
  deletedStack: [/^The stack is in DELETE_IN_PROGRESS\.$/, rollback],
  throttledTable: [/^30\.6% .* A partition of a table or an index is at its limit, as DynamoDB says\.$/],
  throttledKeys: [/^38\.2% .* A partition of a table or an index is at its limit, as DynamoDB says\.$/],
  emptiedKeys: [
    /^All 2 keys are refused since 2026-11-23 19:40 UTC\.$/,
    'npm run keys -- list --stage production --client acme',
  ],
  revokedKey: [
    /^Keys that were served are refused: 1, of zoo\. They expired, were revoked, or are gone\.$/,
    'npm run keys -- list --stage production --client zoo',
  ],
  madeUpKeys: [
    /^Made-up keys: none of those in 906 refused requests was served in a day\. Clients do not notice\.$/,
  ],
  damagedItem: [
    new RegExp(`^2\\.3% .* Damaged items: ${table.id} ${itemKey.join(',')}, with wrong status, name\\.$`),
    `aws dynamodb get-item --table-name ${ownTable} --key '${JSON.stringify(keyOfItem)}' --query Item --output json > item.json`,
  ],
  hotPartition: [
    new RegExp(`^TablesThrottled-${table.id}: A partition of a table or an index is at its limit\\.$`),
  ],
  lockedTable: [
    new RegExp(
      `^The table of ${table.id} is INACCESSIBLE_ENCRYPTION_CREDENTIALS: ${ownTable}\\. When this began`,
    ),
  ],
  pastOutage: [
    /^30\.6% of requests failed, most of them until 2026-11-23 19:35 UTC\. Most: 500\. No release/,
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
    new RegExp(`^The index ${indexName} of ${ownTable} is gone: lists that filter fail\\.$`),
    `aws dynamodb update-table --table-name ${ownTable} --attribute-definitions ${indexKey.map((name) => `AttributeName=${name},AttributeType=${keyTypes[name]}`).join(' ')} --global-secondary-index-updates '[{"Create":{"IndexName":"${indexName}","KeySchema":[{"AttributeName":"${indexKey[0]}","KeyType":"HASH"},{"AttributeName":"${indexKey[1]}","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}}]'`,
  ],
  badRelease: [
    /^10\.8% of requests fail since 2026-11-23 19:40 UTC\. Most: internal_error, TypeError, x is undefined\. Soon before: the release of cccccccccccc at 2026-11-23 19:36 UTC\.$/,
    rollback,
  ],
  lostPermission: [
    /Most: AccessDeniedException, not authorized to perform: dynamodb:Query\. No release came right before\. Changes by hand that CloudTrail shows since 2026-11-23 18:00 UTC, below: 1\.$/,
  ],
  strictRelease: [
    new RegExp(
      `^Most requests of ${list.operationId} by zoo are rejected, unlike before\\. Soon before: the release`,
    ),
    rollback,
  ],
  detachedAuthorizer: [
    /^300 requests were served without a key\. No release came right before\. Changes by hand that CloudTrail shows since 2026-11-23 18:00 UTC, below: 1\.$/,
  ],
  nothingArrives: [
    /^No request was served in 15 minutes, and 57 arrived\. No release came right before\. Changes by hand that CloudTrail shows since 2026-11-23 18:00 UTC, below: 0\.$/,
    smoke,
  ],
  wrongPattern: [
    /^No request was served in 15 minutes, and 57 arrived\. Soon before: the release of cccccccccccc/,
    rollback,
  ],
  blockingWebAcl: [/^No request was served in 15 minutes, and 357 arrived\. No release/, smoke],
  greedyClient: [/^312 requests got a 429, most of them of zoo\.$/],
  flood: [/^3,012 requests got a 429, of no single client\.$/],
  throttledFunction: [
    /^100\.0% of requests fail .* FunctionsThrottled-Authorizer: A function is out of concurrency/,
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
  lostDomain: [/^No request was served in 15 minutes, and 57 arrived\. No release/, smoke],
  clumsyClient: [
    new RegExp(
      `^RequestsRejected-${list.operationId}: Nearly all requests to an operation got a 400 or 404\\.$`,
    ),
  ],
  lostPages: [
    /^NotificationsFail: SNS could not deliver a page or a ticket\.$/,
    `aws sns list-subscriptions-by-topic --topic-arn ${idOf('AWS::SNS::Topic', 'MonitoringTopicsPage')} --query 'Subscriptions[].[Protocol,SubscriptionArn]' --output text`,
  ],
  slowRelease: [
    /^LatencyBurnsFast: Too many responses were slow, and some still are\. Soon before: the release/,
    rollback,
  ],
  failedRollback: [/^The stack is in UPDATE_ROLLBACK_FAILED\. AuthorizerFunction: Rate exceeded$/, rollback],
  hangingCanary: [
    /^The stack is in UPDATE_IN_PROGRESS since 2026-11-23 18:50 UTC, and a release takes 45 minutes at most\.$/,
    rollback,
  ],
  rollbackAlarm: [
    /^Release-Authorizer: Too many requests to a new version fail, are slow or are rejected: its release is rolled back\.$/,
    rollback,
  ],
  failedUpdate: [
    /^The last update of the stack failed\. PetStoreApiAccountE5FAB35A: The role ARN does not have required permissions$/,
    rollback,
  ],
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

it('leads away from the earlier of two releases within an hour, if that one is to blame', async () => {
  const world = { ...incidents.badRelease, releases: released(2, 22) };

  const [first] = (await reportOf(world)).findings;

  expect(first?.says).toMatch(/Soon before: the release of dddddddddddd/);
  expect(first?.next[0]?.commands).toEqual([`${rollback} --to bbbbbbbbbbbb`]);
});

it('blames a release that was rolled back, but not the one to which', async () => {
  const releases = [['bbbbbbbbbbbb 222222222222 333333333333', 18] as const, ...released(26)];

  const { findings } = await reportOf({ ...incidents.badRelease, releases });

  expect(findings[0]?.says).toMatch(/Soon before: the release of cccccccccccc at .*, since left\.$/);
});

it('blames a release that has not recorded itself yet', async () => {
  const world: World = {
    ...incidents.badRelease,
    releases: released(),
    status: 'UPDATE_IN_PROGRESS',
    updated: 22,
  };

  const { findings } = await reportOf(world);

  expect(findings[0]?.says).toMatch(
    /Soon before: an update of the stack, in progress since 2026-11-23 19:38 UTC\.$/,
  );
});

it('blames no release for what is no change, such as a brownout long after it', async () => {
  const { findings } = await reportOf({ ...incidents.brownout, releases: released(50) });

  expect(findings[0]?.says).toMatch(/DynamoDB is slow or fails \(TimeoutError, ApiError\)\.$/);
});

it('finds a release of yesterday if it looks back for a day', async () => {
  const first = minutesAgo(1300).getTime();
  const world: World = {
    releases: released(1310),
    requests: [requests(23_000), requests(500, { status: 500, first })],
    log: [],
  };

  expect((await reportOf(world, 1440)).findings[0]?.says).toMatch(
    /^2\.2% of requests fail since 2026-11-22 22:20 UTC.* Soon before: the release of cccccccccccc/,
  );
});

it('says what else is wrong', async () => {
  const { findings } = await reportOf({ ...incidents.brownout, alarms: ['RequestsThrottled'] });

  expect(findings.map(({ says }) => says)).toEqual([
    expect.stringMatching(/DynamoDB is slow or fails/),
    '12 requests got a 429, most of them of other.',
  ]);
});

it('finds keys that were served among more made-up ones than a query returns', async () => {
  const madeUp = Array.from({ length: 10_000 }, (_, index) => lines(1, { keyId: `made-up-${index}` }));
  const { denied, ...world } = incidents.revokedKey;

  const { findings } = await readFake(
    triage,
    { minutes: 60 },
    { ...world, denied: [...madeUp, ...denied], pageSize: 5000 },
  );

  expect(findings[0]?.says).toMatch(/^Keys that were served are refused: 1, of zoo\./);
});

it('names few failures if most requests fail', async () => {
  const { findings } = await readFake(
    triage,
    { minutes: 60 },
    { requests: [requests(2), failed(3)], earlier: [] },
  );

  expect(findings[0]?.says).toMatch(/^60\.0% of requests fail since 2026-11-23 19:40 UTC\. Most: 500\./);
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

it('says nothing of requests while their log is empty', async () => {
  expect((await reportOf(incidents.emptyLog)).findings).toHaveLength(1);
});

it('fills in what detaches a web ACL, but asks to look before', async () => {
  const [found] = (await reportOf(incidents.blockingWebAcl)).findings;

  expect(found?.next.slice(1, 3).map(({ commands }) => commands?.[0])).toEqual([
    `aws wafv2 disassociate-web-acl --resource-arn ${webAcl.api}`,
    `aws wafv2 associate-web-acl --resource-arn ${webAcl.api} --web-acl-arn ${webAcl.acl}`,
  ]);
});

it.each([
  [
    'is being built, which takes long',
    'CREATING',
    / is CREATING: lists that need it fail until it is ACTIVE\.$/,
  ],
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
  const answers = {
    DescribeAlarms: () => ({
      MetricAlarms: [{ AlarmName: 'PetStore-production-Ours', StateValue: 'ALARM' as const }],
    }),
  };

  expect((await reportOf({ answers })).findings[0]?.says).toBe(
    'Ours fires, an alarm that this version does not know.',
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
    "Most requests of listNotes by zoo are rejected, unlike before. Soon before: the release of cccccccccccc at 2026-11-23 19:35 UTC.

    Next (role: on-call): go back
      AWS_PROFILE=production-on-call npm run stage -- rollback production

    Then: tell the client what is wrong: docs/runbook.md#requests-are-rejected

    Also: Made-up keys: none of those in 6 refused requests was served in a day. Clients do not notice.
    Next: nothing to do

    Run this again after each step.

    Only for doubts (read at 2026-11-23T20:00:00.000Z, role on-call):
    Stack         PetStore-production UPDATE_COMPLETE since 2026-11-20 20:00 UTC, API a1b2c3d4e5
    Alarms        KeysRefused since 2026-11-23 19:45 UTC
    Releases      cccccccccccc at 2026-11-23 19:35 UTC
                  bbbbbbbbbbbb at 2026-11-21 01:20 UTC
    By hand       2026-11-23 18:30 UTC alice called UpdateFunctionConfiguration20150331v2 on PetStore-production-ListNotesFunction00000000-1A2B3C4D5E6F
                  since 2026-11-23 18:00 UTC; later than 2026-11-23 19:45 UTC, CloudTrail may not show all
      in IAM      none since 2026-11-23 18:00 UTC; later than 2026-11-23 19:45 UTC, CloudTrail may not show all
    Requests      1,007 in 60 minutes: 959 served, 9 failed (0.9%), 6 with a refused key, 12 throttled, 30 blocked by the web ACL
      not served  50 × 400 - listNotes by zoo
                  30 × 401 - listNotes by -
                  12 × 429 THROTTLED listNotes by other
                  9 × 500 - GET /unrelated by other
                  6 × 401 ACCESS_DENIED listNotes by -
    Logged        9 times by PetStore-production-ListNotesLogs00000000-1A2B3C4D5E6F version 7: internal_error, Error, unrelated
    Tables        notes: PetStore-production-TablesNotes ACTIVE, 12,000 items up to six hours ago
                  apiKeys: PetStore-production-TablesApiKeys-1A2B3C4D5E6F ACTIVE, 9 items up to six hours ago
                  not used: PetStore-production-restored-apiKeys-202609010300 ACTIVE, 3 items up to six hours ago"
  `);
});
