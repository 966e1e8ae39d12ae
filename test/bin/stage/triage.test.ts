import { describe, expect, it } from 'vitest';
import { readStage } from '../../../bin/stage/read-stage.ts';
import { reportText } from '../../../bin/stage/report.ts';
import { triage } from '../../../bin/stage/triage.ts';
import { errorTable } from '../../../shared/contract/error-table.ts';
import { type Key, namesOf, type TableDefinition } from '../../../shared/tables/table.ts';
import { list, table } from '../../support/contract/own-operations.ts';
import {
  apiKeys,
  callers,
  failing,
  fakeStage,
  functionName,
  idOf,
  List,
  lines,
  linesOfOthers,
  logOf,
  minutesAgo,
  now,
  ownTable,
  readFake,
  requests,
  roleOf,
  settings,
  trailEvent,
  type World,
  webAcl,
  withBackground,
} from '../../support/stage/fake-stage.ts';

const { certificateArn } = settings.domain;
const reportOf = (world: World = {}, minutes = 60) =>
  readFake(triage, { minutes }, withBackground(world), settings);

const since = (minutes: number) => ({ first: minutesAgo(minutes).getTime() });
const until = (minutes: number) => ({ last: minutesAgo(minutes).getTime() });
const failed = (count: number, fields = {}) => requests(count, { status: 500, ...since(20), ...fields });
const keyOf = (client: string) => ({ client, keyId: `${client}00000000`.slice(0, 12) });
const acme = keyOf('acme');
const zoo = keyOf('zoo');
const nobody = { client: '-', keyId: '-' };
const refused = { ...nobody, status: 401, responseType: 'ACCESS_DENIED' };
const refusal = ({ keyId }: { keyId: string }) =>
  lines(20, {
    event: 'A request was rejected.',
    log: logOf('Authorizer'),
    code: 'unauthorized',
    keyId,
  });
/** A release of so many minutes ago, by default with the tables of the one before. */
const released = (minutes: number, tables = '333333333333'): NonNullable<World['releases']> => [
  [`cccccccccccc 222222222222 ${tables}`, minutes],
  ['bbbbbbbbbbbb 222222222222 333333333333', 4000],
];
const changed = (minutes: number, fields = {}) =>
  trailEvent({
    minutes,
    source: 'lambda.amazonaws.com',
    name: 'UpdateFunctionConfiguration20150331v2',
    parameters: { functionName: functionName(List) },
    ...fields,
  });

const unavailable = errorTable.service_unavailable.message;

/** DynamoDB is slow, and fails for some. */
const brownout: World = {
  alarms: ['AvailabilityBurnsFast'],
  requests: [requests(700), failed(300, { status: 503 })],
  log: [
    lines(90, { event: unavailable, error: 'TimeoutError', text: 'The call timed out.' }),
    // The authorizer logs what it throws, and so does Lambda.
    lines(105, { event: 'The API key could not be read.', error: 'ApiError', text: unavailable }),
    lines(105, { error: 'ApiError', text: unavailable }),
  ],
};

/** A release uses an empty table of keys. */
const otherKeys = 'PetStore-production-restored-apiKeys-202611010300';
const wrongKeys: World = {
  releases: released(25, '444444444444'),
  outputs: { ApiKeysTableName: otherKeys },
  tables: { [ownTable]: 12_000, [otherKeys]: 0, [apiKeys]: 9 },
  requests: [requests(300, { ...acme, ...until(21) }), requests(200, refused)],
  earlier: [requests(9000, { ...acme, ...until(61) }), requests(500, { ...zoo, ...until(61) })],
  log: [refusal(acme), refusal(zoo)],
};

const keyNames = namesOf(table.key);
const keyTypes: TableDefinition['keyTypes'] = table.keyTypes;
const [[indexName, index]] = Object.entries(table.indexes) as [[string, Key]];
const indexKey = namesOf(index);
const item = {
  event: 'A stored item is damaged.',
  table: table.id,
  key: keyNames.map(() => '42').join(','),
  attributes: 'status, name',
};
const damagedItem: World = {
  requests: [requests(900), failed(12)],
  log: [
    lines(12, item),
    lines(12, { code: 'internal_error', error: 'Error', text: 'A stored item is damaged.' }),
  ],
};

const deletedTable: World = {
  tables: { [apiKeys]: 9, [`PetStore-production-restored-${table.id}-202609010300`]: 3 },
  requests: [failed(500)],
  log: [lines(500, { code: 'internal_error', error: 'ResourceNotFoundException', text: 'not found' })],
  events: [changed(22, { name: 'DeleteTable', parameters: { tableName: ownTable } })],
};

const unexplained: World = {
  requests: [requests(900), failed(100)],
  log: [lines(100, { code: 'internal_error', error: 'TypeError', text: 'x is undefined' })],
};

const goBack = 'npm run stage -- rollback production';
const drift = 'npx cdk drift PetStore-production';
const itemKey = Object.fromEntries(keyNames.map((name) => [name, { [`${keyTypes[name]}`]: '42' }]));
const getItem = `aws dynamodb get-item --table-name ${ownTable} --key '${JSON.stringify(itemKey)}' --query Item --output json > item.json`;

/** What somebody reads until the first command or instruction, after the at most 25 words of the page. */
const wordsBeforeAction = (text: string) =>
  text.split(/\n {2}|\n\nThen|\n\nAlso|\n\nRun/)[0]?.split(/\s+/).length;

describe('the conclusion', () => {
  it.each<[title: string, world: World, says: RegExp, command?: string]>([
    [
      'a brownout',
      brownout,
      /^30\.6% of requests fail since 2026-11-23 19:40 UTC\. DynamoDB is slow or fails \(ApiError, TimeoutError\)\.$/,
    ],
    [
      'the wrong table of keys',
      wrongKeys,
      /^All 2 keys are refused since .* The release uses another table: nothing is lost, do not restore\. Soon before: the release of/,
      goBack,
    ],
    [
      'a damaged item',
      damagedItem,
      new RegExp(`^2\\.3% .* Damaged items: ${table.id} ${item.key}, with wrong status, name\\.$`),
      getItem,
    ],
    [
      'a damaged item that only lists omit, beside another error',
      { log: [lines(2, item), lines(1, { code: 'internal_error', error: 'TypeError' })] },
      new RegExp(`^Damaged items: ${table.id} ${item.key}`),
      getItem,
    ],
    [
      'a deleted table',
      deletedTable,
      new RegExp(`^The table of ${table.id} does not exist any more: ${ownTable}\\.$`),
      `npm run stage -- restore production --table ${table.id}`,
    ],
    [
      'a bad release',
      { ...unexplained, releases: released(24) },
      /^10\.8% of requests fail since 2026-11-23 19:40 UTC\. Most log: internal_error, TypeError, x is undefined\. Soon before: the release of cccccccccccc at 2026-11-23 19:36 UTC\.$/,
      goBack,
    ],
    [
      'the release that was rolled back, and not the one to which',
      {
        ...unexplained,
        releases: [['bbbbbbbbbbbb 222222222222 333333333333', 18], ...released(26)],
      },
      /Soon before: the release of cccccccccccc at .*, since left\.$/,
      goBack,
    ],
    [
      'a change by hand, if it came after the last release',
      { ...unexplained, releases: released(50), events: [changed(21)] },
      new RegExp(
        `Soon before: alice called UpdateFunctionConfiguration20150331v2 on ${functionName(List)}\\.$`,
      ),
      drift,
    ],
    [
      'a permission that was taken away in IAM',
      {
        ...unexplained,
        log: [
          lines(100, { error: 'AccessDeniedException', text: 'not authorized to perform: dynamodb:Query' }),
        ],
        iamEvents: [
          changed(21, {
            name: 'DeleteRolePolicy',
            source: 'iam.amazonaws.com',
            parameters: { roleName: roleOf(List) },
          }),
        ],
      },
      /Most log: AccessDeniedException, not authorized to perform: dynamodb:Query\. .* alice called DeleteRolePolicy/,
      drift,
    ],
    [
      'a brownout long after other changes',
      { ...brownout, releases: released(50), events: [changed(40)] },
      /UTC\. DynamoDB is slow or fails \(ApiError, TimeoutError\)\.$/,
    ],
    [
      'a throttled table',
      { ...brownout, alarms: ['TablesThrottled-apiKeys'] },
      /A partition of a table or an index is at its limit\./,
    ],
    [
      'a function that Lambda does not run',
      {
        requests: [failed(50, { responseType: 'INTEGRATION_FAILURE' })],
        alarms: ['FunctionsThrottled-Authorizer'],
      },
      /A function is out of concurrency/,
      `aws lambda get-function-concurrency --function-name ${functionName('Authorizer')}`,
    ],
    [
      'made-up keys in half of all requests',
      { alarms: ['KeysRefused'], requests: [requests(900), requests(900, refused)] },
      /^Made-up keys: none of those in 906 refused requests was served in a day\. Clients do not notice\.$/,
    ],
    [
      'a release that rejects a client',
      {
        releases: released(25),
        requests: [requests(900), requests(50, { ...zoo, ...since(22), status: 400 })],
        earlier: [requests(900, zoo)],
      },
      new RegExp(
        `^Most requests of ${list.operationId} by zoo are rejected, unlike before\\. Soon before: the release`,
      ),
      goBack,
    ],
    [
      'a revoked key',
      {
        requests: [requests(300, acme), requests(20, refused)],
        earlier: [requests(9000, { ...acme, ...until(61) }), requests(500, { ...zoo, ...until(61) })],
        log: [refusal(zoo)],
      },
      /^Keys that were served are refused: 1, of zoo\. They expired or were revoked\.$/,
      'npm run keys -- list --stage production --client zoo',
    ],
    [
      'an emptied table of keys',
      { ...wrongKeys, releases: [], outputs: {}, tables: { [ownTable]: 1, [apiKeys]: 0 } },
      /^All 2 keys are refused since 2026-11-23 19:40 UTC\.$/,
      'npm run keys -- list --stage production --client acme',
    ],
    [
      'a lost index',
      { tables: { [ownTable]: { GlobalSecondaryIndexes: [] }, [apiKeys]: 9 } },
      new RegExp(`^The index ${indexName} of ${ownTable} is gone: lists that filter fail\\.$`),
      `aws dynamodb update-table --table-name ${ownTable} --attribute-definitions ${indexKey.map((name) => `AttributeName=${name},AttributeType=${keyTypes[name]}`).join(' ')} --global-secondary-index-updates '[{"Create":{"IndexName":"${indexName}","KeySchema":[{"AttributeName":"${indexKey[0]}","KeyType":"HASH"},{"AttributeName":"${indexKey[1]}","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}}]'`,
    ],
    [
      'a client above its limit',
      {
        alarms: ['RequestsThrottled'],
        requests: [requests(100), requests(300, { ...zoo, status: 429, responseType: 'THROTTLED' })],
      },
      /^312 requests got a 429, most of them of zoo\.$/,
    ],
    [
      'an access log without lines',
      { alarms: ['AccessLogEmpty', 'NothingServed'], requests: [] },
      /^For 15 minutes, the access log has lacked requests/,
      `aws apigateway get-account --query '{used: cloudwatchRoleArn, ofStack: '\\''${idOf('AWS::IAM::Role', 'PetStoreApiCloudWatchRole')}'\\''}'`,
    ],
    [
      'requests that end with a release, such as by a wrong pattern of keys',
      { releases: released(22), requests: [requests(500, until(20))] },
      /^No request was served in 15 minutes, and 57 arrived\. Soon before: the release of cccccccccccc/,
      goBack,
    ],
    [
      'an authorizer that somebody has detached, so that only creates fail',
      {
        requests: [requests(500, until(20)), requests(300, { ...nobody, ...since(20) }), failed(20, nobody)],
        log: [lines(20, { code: 'internal_error', error: 'ValiError' })],
        events: [changed(21)],
      },
      /^300 requests were served without a key\. Soon before: alice called/,
      drift,
    ],
    [
      'a certificate that expires',
      {
        alarms: ['CertificateExpires', 'CertificateExpiresSoon', 'NothingServed'],
        requests: [requests(500, until(20))],
      },
      /^The domain's certificate expires within 3 days\./,
      `aws acm describe-certificate --certificate-arn ${certificateArn} --query 'Certificate.[Type,Status,NotAfter,InUseBy,RenewalSummary,DomainValidationOptions]'`,
    ],
    [
      'SNS that cannot deliver',
      {
        alarms: ['NotificationsFail'],
        outputs: { PageTopicArn: 'arn:aws:sns:us-east-1:123456789012:PetStore-production-Page' },
      },
      /^SNS could not deliver a page or a ticket\./,
      "aws sns list-subscriptions-by-topic --topic-arn arn:aws:sns:us-east-1:123456789012:PetStore-production-Page --query 'Subscriptions[].[Protocol,SubscriptionArn]' --output text",
    ],
    [
      'slow responses since a release',
      { alarms: ['LatencyBurnsFast', 'LatencyBurnsFast-Now'], releases: released(70) },
      /^LatencyBurnsFast: Within 1 hour, more than .* Soon before: the release/,
      goBack,
    ],
  ])('names %s', async (_title, world, says, command) => {
    const report = await reportOf(world);

    const [first] = report.findings;
    expect(first?.says).toMatch(says);
    expect(first?.next[0]?.commands?.[0]).toBe(command);
    expect(wordsBeforeAction(reportText(report))).toBeLessThanOrEqual(45);
    expect(report.unread).toEqual([]);
  });

  it.each<[when: string, world: World, first: unknown]>([
    ['clients are blocked', { alarms: ['WebAclBlocks'] }, undefined],
    [
      'it blocks all, such as by a wrong form of keys',
      {
        requests: [
          requests(500, until(20)),
          requests(300, { waf: 'WAF_BLOCK', status: 401, client: '', keyId: '' }),
        ],
      },
      expect.stringMatching(/npm run smoke$/),
    ],
  ])('fills in what detaches a web ACL when %s, but asks to look before', async (_when, world, first) => {
    const { findings } = await reportOf(world);

    expect(findings[0]?.next.slice(0, 3).map(({ commands }) => commands?.[0])).toEqual([
      first,
      `aws wafv2 disassociate-web-acl --resource-arn ${webAcl.api}`,
      `aws wafv2 associate-web-acl --resource-arn ${webAcl.api} --web-acl-arn ${webAcl.acl}`,
    ]);
  });

  it('finds a release of yesterday if it looks back for a day', async () => {
    const row = { first: minutesAgo(1300).getTime() };
    const world: World = {
      alarms: ['AvailabilityBurnsForDays'],
      releases: released(1310),
      requests: [requests(23_000), requests(500, { status: 500, ...row })],
      log: [lines(500, { code: 'internal_error', error: 'TypeError', ...row })],
    };

    expect((await reportOf(world, 1440)).findings[0]?.says).toMatch(
      /^2\.2% of requests fail since 2026-11-22 22:20 UTC.* Soon before: the release of cccccccccccc/,
    );
  });

  it('says what else is wrong', async () => {
    const { findings } = await reportOf({
      ...brownout,
      alarms: ['AvailabilityBurnsFast', 'RequestsThrottled'],
    });

    expect(findings.map(({ says }) => says)).toEqual([
      expect.stringMatching(/DynamoDB is slow or fails/),
      '12 requests got a 429, most of them of other.',
    ]);
  });

  it('says nothing of requests while their log is empty', async () => {
    const { findings } = await reportOf({ alarms: ['AccessLogEmpty', 'RequestsThrottled'], requests: [] });

    expect(findings.map(({ says }) => says)).toEqual([
      expect.stringMatching(/^For 15 minutes, the access log has lacked/),
    ]);
  });

  it('leaves out the changes of a deploy, and those elsewhere', async () => {
    const events = [
      changed(21, { caller: callers.aws('cloudformation.amazonaws.com') }),
      changed(22, { parameters: { functionName: 'PetStore-staging-Authorizer' } }),
    ];

    expect((await reportOf({ ...unexplained, events })).findings[0]?.says).toMatch(
      /Nothing shows why: no release or change by hand came right before\.$/,
    );
  });

  it('expects no index that is not deployed yet', async () => {
    const world: World = {
      tables: { [ownTable]: { GlobalSecondaryIndexes: [] }, [apiKeys]: 9 },
      answers: { GetTemplate: () => ({ TemplateBody: '{}' }) },
    };

    expect(await reportOf(world)).toMatchObject({
      findings: [{ says: expect.stringMatching(/^Nothing is wrong/) }],
    });
  });

  it('holds an alarm for over as soon as its shorter window is', async () => {
    const StateTransitionedTimestamp = now;
    const alarm = (AlarmName: string, StateValue: 'ALARM' | 'OK') => ({
      AlarmName,
      StateValue,
      StateTransitionedTimestamp,
    });
    const DescribeAlarms = () => ({
      MetricAlarms: [
        alarm('PetStore-production-LatencyBurnsFast', 'ALARM'),
        alarm('PetStore-production-LatencyBurnsFast-Now', 'OK'),
      ],
    });

    expect((await reportOf({ answers: { DescribeAlarms } })).findings[0]?.says).toMatch(/^Nothing is wrong/);
  });

  it.each<[title: string, world: World, conclusion: RegExp]>([
    [
      'nothing arrives',
      { requests: [requests(500, until(20))] },
      /^No request was served in 15 minutes, and 57 arrived\. Nothing shows why/,
    ],
    ['functions fail for no known reason', unexplained, /x is undefined\. Nothing shows why/],
    [
      'clients notice what is no error',
      {
        releases: released(25),
        requests: [requests(950), requests(50, { ...zoo, ...since(22), status: 404 })],
      },
      /^Nothing is wrong, as far as the figures show it, which do not show wrong answers\.$/,
    ],
  ])('says that it cannot know why if %s', async (_title, world, conclusion) => {
    expect(await reportOf(world)).toMatchObject({ findings: [{ says: expect.stringMatching(conclusion) }] });
  });
});

it('prints the figures', async () => {
  const report = await reportOf({ ...wrongKeys, alarms: ['KeysRefused'], events: [changed(90)] });

  const text = reportText(report)
    .replaceAll(linesOfOthers, '')
    .replaceAll(List, 'ListNotes')
    .replaceAll(list.operationId, 'listNotes')
    .replaceAll(ownTable, 'PetStore-production-TablesNotes1A2B')
    .replaceAll(` ${table.id}: `, ' notes: ');
  expect(text).toMatchInlineSnapshot(`
    "All 2 keys are refused since 2026-11-23 19:40 UTC. The release uses another table: nothing is lost, do not restore. Soon before: the release of cccccccccccc at 2026-11-23 19:35 UTC.

    Next (role: on-call): go back
      AWS_PROFILE=production-on-call npm run stage -- rollback production

    Then: tell clients: docs/runbook.md#tell-clients

    Run this again after each step.

    Only for doubts (read at 2026-11-23T20:00:00.000Z, role on-call):
    Stack         PetStore-production UPDATE_COMPLETE, API a1b2c3d4e5
    Alarms        KeysRefused since 2026-11-23 19:45 UTC
    Releases      cccccccccccc at 2026-11-23 19:35 UTC
                  bbbbbbbbbbbb at 2026-11-21 01:20 UTC
    By hand       2026-11-23 18:30 UTC alice called UpdateFunctionConfiguration20150331v2 on PetStore-production-ListNotesFunction341506F6-1A2B3C4D5E6F
                  read from 2026-11-23 18:00 UTC on, without the last minutes and changes of items
    Requests      557 in 60 minutes: 309 served, 9 failed (2.9%), 206 with a refused key, 12 throttled, 30 blocked by the web ACL
    Failed        500 ×9
      operations  GET /unrelated ×9
      clients     other ×9
      logged      9 times by PetStore-production-ListNotesLogsE70E93AE-1A2B3C4D5E6F version 7: internal_error, Error, unrelated
    Throttled     listNotes ×12
      by client   other ×12
    Refused       key acme00000000 of acme, served 9,300 times before
                  key zoo00000000 of zoo, served 500 times before
    Tables        notes: PetStore-production-TablesNotes1A2B ACTIVE, 12,000 items up to six hours ago
                  apiKeys: PetStore-production-restored-apiKeys-202611010300 ACTIVE, 0 items up to six hours ago
                  not used: PetStore-production-TablesApiKeys-1A2B3C4D5E6F ACTIVE, 9 items up to six hours ago
                  not used: PetStore-production-restored-apiKeys-202609010300 ACTIVE, 3 items up to six hours ago"
  `);
});

it.each([
  [
    'LookupEvents',
    ['changes by hand'],
    unexplained,
    /Nothing shows why: what changed before is not known\.$/,
  ],
  [
    'StartQuery',
    ['requests', 'requests of the day before', 'logs of the functions'],
    {},
    /^The figures allow no conclusion: requests, log could not be read\.$/,
  ],
] satisfies [string, string[], World, RegExp][])(
  'marks what it could not read, and concludes without it: %s',
  async (call, unread, world, says) => {
    const report = await reportOf({ ...world, ...failing('denied', call) });

    expect(report.unread).toEqual(
      unread.map((what) => expect.stringMatching(`^${what}: AccessDeniedException: `)),
    );
    expect(report.findings[0]?.says).toMatch(says);
  },
);

it('fails if AWS denies everything', async () => {
  const { clients } = fakeStage();
  for (const client of Object.values(clients))
    Object.assign(client, {
      send: async () => {
        throw new Error('denied');
      },
    });

  await expect(readStage(triage, 'production', { minutes: 60 }, { clients, settings })).rejects.toThrow(
    'denied',
  );
});
