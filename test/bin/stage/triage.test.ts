import { describe, expect, it } from 'vitest';
import { readStage } from '../../../bin/stage/read-stage.ts';
import { reportText } from '../../../bin/stage/report.ts';
import { triage } from '../../../bin/stage/triage.ts';
import { productionSettings } from '../../support/infra/stage-settings.ts';
import {
  apiKeys,
  fakeStage,
  lines,
  minutesAgo,
  now,
  pets,
  requests,
  type World,
  withBackground,
} from '../../support/stage/fake-stage.ts';

const settings = {
  ...productionSettings,
  domain: { name: 'api.pets.example', certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/0' },
};
const reportOf = (world: World = {}) =>
  readStage(triage, 'production', { minutes: 60 }, { ...fakeStage(withBackground(world)), now, settings });

const dayBefore = { first: minutesAgo(1500).getTime(), last: minutesAgo(61).getTime() };
const twoDaysBefore = { first: minutesAgo(3000).getTime(), last: minutesAgo(1501).getTime() };
const since = (minutes: number) => ({ first: minutesAgo(minutes).getTime() });
const until = (minutes: number) => ({ last: minutesAgo(minutes).getTime() });
const failed = (count: number, fields = {}) => requests(count, { status: 503, ...since(20), ...fields });
const keyOf = (client: string) => ({ client, keyId: `${client}00000000`.slice(0, 12) });
const denied = { status: 401, responseType: 'ACCESS_DENIED', client: '-', keyId: '-' };
const rejection = { level: 'INFO', 'message.message': 'A request was rejected.' };
const refusal = ({ keyId }: { keyId: string }) => ({
  ...rejection,
  '@log': '123456789012:PetStore-production-AuthorizerLogs-1A2B',
  'message.code': 'unauthorized',
  'message.keyId': keyId,
});
const acme = keyOf('acme');
const zoo = keyOf('zoo');
const released = (minutes: number): NonNullable<World['releases']> => [
  ['cccccccccccc 222222222222 333333333333', minutes],
  ['bbbbbbbbbbbb 222222222222 333333333333', 4000],
];

/** DynamoDB is slow, and fails for some. */
const brownout: World = {
  alarms: ['AvailabilityBurnsFast'],
  requests: [requests(700), failed(300)],
  log: [
    lines(250, { 'message.code': 'service_unavailable', error: 'TimeoutError', text: 'The call timed out.' }),
    lines(50, {
      'message.code': 'service_unavailable',
      error: 'InternalServerError',
      text: 'Internal error',
    }),
  ],
};

/** A release uses an empty table of keys. */
const otherKeys = 'PetStore-production-restored-apiKeys-202611010300';
const wrongKeys: World = {
  releases: released(25),
  outputs: { ApiKeysTableName: otherKeys },
  tables: { [pets]: 12_000, [otherKeys]: 0, [apiKeys]: 9 },
  requests: [requests(300, { ...acme, ...until(21) }), requests(200, denied)],
  earlier: [requests(9000, { ...acme, ...until(61) }), requests(500, { ...zoo, ...until(61) })],
  log: [lines(20, refusal(acme)), lines(20, refusal(zoo))],
};

const item = { 'message.message': 'A stored item is damaged.', 'message.table': 'pets', 'message.key': '42' };
const damagedPet: World = {
  requests: [requests(900), failed(12, { status: 500 })],
  log: [
    lines(12, { ...item, 'message.attributes': 'status, name' }),
    lines(12, { 'message.code': 'internal_error', error: 'Error', text: 'A stored item is damaged.' }),
  ],
};

const deletedTable: World = {
  tables: { [apiKeys]: 9, 'PetStore-production-restored-pets-202609010300': 3 },
  requests: [failed(500, { status: 500 })],
  log: [
    lines(500, { 'message.code': 'internal_error', error: 'ResourceNotFoundException', text: 'not found' }),
  ],
  events: [{ minutes: 22, name: 'DeleteTable', parameters: { tableName: pets } }],
};

const unexplained: World = {
  requests: [requests(900), failed(100, { status: 500 })],
  log: [lines(100, { 'message.code': 'internal_error', error: 'TypeError', text: 'x is undefined' })],
};

const releasedAt = 'the release of cccccccccccc at 2026-11-23 19:3';
const handed = {
  minutes: 21,
  name: 'UpdateFunctionConfiguration20150331v2',
  parameters: { functionName: 'PetStore-production-ListPetsFunction1A2B' },
};
const { certificateArn } = settings.domain;

/** What somebody reads until the first command or instruction, after the at most 25 words of the page. */
const wordsBeforeAction = (text: string) =>
  text.split(/\n {2}|\n\nThen|\n\nAlso|\n\nRead/)[0]?.split(/\s+/).length;

describe('the conclusion', () => {
  it.each<[title: string, world: World, says: RegExp, command: string | undefined]>([
    [
      'a brownout',
      brownout,
      /^30\.6% of requests fail since 2026-11-23 19:40 UTC\. DynamoDB is slow or fails \(TimeoutError, InternalServerError\)\.$/,
      undefined,
    ],
    [
      'the wrong table of keys',
      wrongKeys,
      /^All 2 known keys are refused since the release of .* uses another table, .* Nothing is lost: do not restore\.$/,
      'npm run stage -- rollback production',
    ],
    [
      'a damaged pet',
      damagedPet,
      /^Damaged items: pets 42, with wrong status, name\. Other requests are fine\.$/,
      `aws dynamodb get-item --table-name ${pets} --key '{"id":{"N":"42"}}' --query Item --output json > item.json`,
    ],
    [
      'a deleted table',
      deletedTable,
      /^The table of pets does not exist any more: PetStore-production-TablesPets1A2B\.$/,
      'npm run stage -- restore production --table pets',
    ],
    [
      'a bad release',
      { ...unexplained, releases: released(24) },
      new RegExp(`^10\\.8% of requests fail since 2026-11-23 19:4.* soon after ${releasedAt}6 UTC\\.$`),
      'npm run stage -- rollback production',
    ],
    [
      'a bad release of yesterday',
      {
        ...unexplained,
        alarms: ['AvailabilityBurnsForDays'],
        releases: released(1510),
        requests: [requests(980), requests(20, { status: 500 })],
        earlier: [
          requests(23_000, dayBefore),
          requests(500, { ...dayBefore, status: 500 }),
          requests(9000, twoDaysBefore),
        ],
      },
      /^2\.9% of requests fail since 2026-11-22 1.*, soon after the release of cccccccccccc at 2026-11-22 18:50 UTC\.$/,
      'npm run stage -- rollback production',
    ],
    [
      'a bad release in its canary',
      { ...unexplained, status: 'UPDATE_IN_PROGRESS', releases: released(24), deployments: ['d-1'] },
      /soon after the release of cccccccccccc/,
      'npm run stage -- rollback production',
    ],
    [
      'a change by hand',
      { ...unexplained, events: [handed] },
      /, soon after assumed-role\/.*alice called UpdateFunctionConfiguration20150331v2 on PetStore-production-ListPetsFunction1A2B\.$/,
      'npx cdk drift PetStore-production',
    ],
    [
      'what was changed last before the failures',
      { ...unexplained, releases: released(50), events: [handed] },
      /soon after .*alice called UpdateFunction/,
      'npx cdk drift PetStore-production',
    ],
    [
      'a brownout long after a release, beside a change by hand',
      { ...brownout, releases: released(50), events: [handed] },
      /UTC\. DynamoDB is slow or fails/,
      undefined,
    ],
    [
      'a permission that was taken away in IAM',
      {
        requests: [requests(900), failed(100, { status: 500 })],
        log: [
          lines(100, {
            'message.code': 'internal_error',
            error: 'AccessDeniedException',
            text: 'User: x is not authorized to perform: dynamodb:Query on resource: arn:x because of y',
          }),
        ],
        events: [
          {
            minutes: 21,
            name: 'DeleteRolePolicy',
            source: 'iam.amazonaws.com',
            parameters: { roleName: 'PetStore-production-ListPetsRole1A2B' },
          },
        ],
      },
      /called DeleteRolePolicy on .* A function is not authorized to perform: dynamodb:Query\.$/,
      'npx cdk drift PetStore-production',
    ],
    [
      'the release that was rolled back, and not the one to which',
      {
        ...unexplained,
        releases: [
          ['bbbbbbbbbbbb 222222222222 333333333333', 18],
          ['cccccccccccc 222222222222 333333333333', 26],
          ['bbbbbbbbbbbb 222222222222 333333333333', 4000],
        ],
      },
      /soon after the release of cccccccccccc at .*, which is not deployed any more\.$/,
      'npm run stage -- rollback production',
    ],
    [
      'made-up keys in half of all requests',
      { alarms: ['KeysRefused'], requests: [requests(900), requests(900, denied)] },
      /^Made-up keys: none of those in 906 refused requests was served in a day\. Clients do not notice\.$/,
      undefined,
    ],
    [
      'nothing wrong if a client asks for pets that do not exist',
      {
        releases: released(25),
        requests: [requests(900), requests(50, { ...zoo, ...since(22), status: 404 })],
        earlier: [requests(900, zoo)],
      },
      /^Nothing is wrong, as far as the figures show it: 959 requests were served, 9 \(0\.9%\) failed, as before\.$/,
      undefined,
    ],
    [
      'a damaged pet beside another error',
      {
        requests: [requests(900), failed(30, { status: 500 })],
        log: [
          lines(20, { ...item, 'message.attributes': 'status' }),
          lines(1, { 'message.code': 'internal_error', error: 'TypeError', text: 'x is undefined' }),
        ],
      },
      /Damaged items: pets 42/,
      `aws dynamodb get-item --table-name ${pets} --key '{"id":{"N":"42"}}' --query Item --output json > item.json`,
    ],
    [
      'a release that rejects a client',
      {
        releases: released(25),
        requests: [
          requests(900),
          requests(50, { ...zoo, ...since(22), status: 400 }),
          requests(80, { ...zoo, method: 'POST' }),
        ],
        earlier: [requests(900, zoo)],
      },
      /^Most requests of listPets by zoo are rejected, unlike before, soon after the release/,
      'npm run stage -- rollback production',
    ],
    [
      'a revoked key',
      {
        ...wrongKeys,
        ...{ releases: [], outputs: {}, tables: { [pets]: 1, [apiKeys]: 9 } },
        requests: [requests(300, acme), requests(20, denied)],
        log: [lines(9, refusal(zoo))],
      },
      /^Keys that were served are refused: 1, of zoo\. They expired or were revoked\.$/,
      'npm run keys -- list --stage production --client zoo',
    ],
    [
      'an emptied table of keys',
      { ...wrongKeys, releases: [], outputs: {}, tables: { [pets]: 1, [apiKeys]: 0 } },
      /^All 2 known keys are refused since 2026-11-23 19:40 UTC\.$/,
      'npm run keys -- list --stage production --client acme',
    ],
    [
      'a lost index',
      { tables: { [pets]: { GlobalSecondaryIndexes: [] }, [apiKeys]: 9 } },
      /^The index byStatus of PetStore-production-TablesPets1A2B is gone: lists that filter fail\.$/,
      `aws dynamodb update-table --table-name ${pets} --attribute-definitions AttributeName=status,AttributeType=S AttributeName=id,AttributeType=N --global-secondary-index-updates '[{"Create":{"IndexName":"byStatus","KeySchema":[{"AttributeName":"status","KeyType":"HASH"},{"AttributeName":"id","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}}]'`,
    ],
    [
      'a function that Lambda does not run',
      {
        requests: [failed(50, { responseType: 'INTEGRATION_FAILURE', integrationStatus: 429 })],
        throttles: { 'PetStore-production-ListPetsFunction1A2B': 50 },
      },
      /Lambda refused 50 times to run PetStore-production-ListPetsFunction1A2B/,
      'aws lambda get-function-concurrency --function-name PetStore-production-ListPetsFunction1A2B',
    ],
    [
      'a throttled table',
      { ...brownout, throttles: { [pets]: 90 } },
      /DynamoDB throttles .* \(360 times\)\.$/,
      undefined,
    ],
    [
      'a client above its limit',
      { requests: [requests(100), requests(300, { ...zoo, status: 429, responseType: 'THROTTLED' })] },
      /^312 requests got a 429, most of them of zoo\.$/,
      undefined,
    ],
    [
      'a web ACL that blocks',
      {
        requests: [requests(100), requests(300, { status: 401, waf: 'WAF_BLOCK', client: '-', keyId: '-' })],
      },
      /^The web ACL blocks 330 requests, mostly with a 401/,
      undefined,
    ],
    [
      'an access log without lines',
      { requests: [], unlogged: [requests(960)] },
      /^The access log is empty, though API Gateway counted \d+ requests in 15 minutes/,
      'aws apigateway get-account',
    ],
    [
      'requests that end with a release, such as by a wrong pattern of keys',
      { releases: released(22), requests: [requests(500, until(20))] },
      /^No request was served in 15 minutes, soon after the release of cccccccccccc/,
      'npm run stage -- rollback production',
    ],
    [
      'a certificate that expires',
      {
        alarms: ['CertificateExpires', 'CertificateExpiresSoon', 'NothingServed'],
        requests: [requests(500, until(20))],
      },
      /^ACM has not renewed the certificate of api\.pets\.example/,
      `aws acm describe-certificate --certificate-arn ${certificateArn} --query 'Certificate.[Type,Status,NotAfter,InUseBy,RenewalSummary,DomainValidationOptions]'`,
    ],
    [
      'SNS that cannot deliver',
      { alarms: ['NotificationsFail'], outputs: { PageTopicArn: 'arn:page', TicketTopicArn: 'arn:ticket' } },
      /^SNS could not deliver a page or a ticket today\. Clients notice nothing\.$/,
      "aws sns list-subscriptions-by-topic --topic-arn arn:page --query 'Subscriptions[].[Protocol,SubscriptionArn]' --output text",
    ],
    [
      'slow responses since a release',
      { alarms: ['LatencyBurnsFast'], releases: released(70) },
      /^LatencyBurnsFast fires since 2026-11-23 19:45 UTC, after the release/,
      'npm run stage -- rollback production',
    ],
  ])('names %s', async (_title, world, says, command) => {
    const report = await reportOf(world);

    const [first] = report.findings;
    expect(first?.says).toMatch(says);
    expect(first?.next[0]?.commands?.[0]).toBe(command);
    expect(wordsBeforeAction(reportText(report))).toBeLessThanOrEqual(35);
    expect(report.unread).toEqual([]);
  });

  it('says what else is wrong', async () => {
    const zooIsThrottled = requests(300, { ...zoo, status: 429, responseType: 'THROTTLED' });

    const { findings } = await reportOf({
      ...brownout,
      requests: [requests(700), failed(300), zooIsThrottled],
    });

    expect(findings.map(({ says }) => says)).toEqual([
      expect.stringMatching(/DynamoDB is slow or fails/),
      '312 requests got a 429, most of them of zoo.',
    ]);
  });

  it('leaves out the changes of a deploy, and those elsewhere', async () => {
    const parameters = { functionName: 'PetStore-production-ListPetsFunction1A2B' };
    const events = [
      { minutes: 21, name: 'UpdateAlias', parameters, sourceIPAddress: 'cloudformation.amazonaws.com' },
      { minutes: 21, name: 'CreateChangeSet', parameters: { stackName: 'PetStore-production' } },
      { minutes: 21, name: 'UpdateAlias', parameters: { functionName: 'PetStore-staging-ListPets' } },
    ];

    expect((await reportOf({ ...unexplained, events })).findings[0]?.says).toMatch(
      /The figures do not show why: no release and no change by hand/,
    );
  });

  it.each<[title: string, world: World, conclusion: RegExp]>([
    [
      'nothing arrives',
      { requests: [requests(500, until(20))] },
      /^No request was served in 15 minutes\. 57 arrived; the figures do not show why/,
    ],
    [
      'functions fail for no known reason',
      unexplained,
      /^10\.8% of requests fail since 2026-11-23 19:40 UTC\. The figures do not show why/,
    ],
    [
      'clients notice what is no error',
      {},
      /^Nothing is wrong, as far as the figures show it: 1,009 requests were served/,
    ],
  ])('says that it cannot know why if %s', async (_title, world, conclusion) => {
    expect(await reportOf(world)).toMatchObject({ findings: [{ says: expect.stringMatching(conclusion) }] });
  });
});

it('prints the figures', async () => {
  const report = await reportOf({ ...wrongKeys, alarms: ['KeysRefused'] });

  expect(reportText(report)).toMatchInlineSnapshot(`
    "All 2 known keys are refused since the release of cccccccccccc at 2026-11-23 19:35 UTC: it uses another table, PetStore-production-restored-apiKeys-202611010300, not PetStore-production-TablesApiKeys1A2B (9 items). Nothing is lost: do not restore.

    Next (role on-call): go back
      AWS_PROFILE=production-on-call npm run stage -- rollback production

    Then: tell clients: docs/runbook.md#tell-clients

    Read from production at 2026-11-23T20:00:00.000Z (role on-call):
    Stack         PetStore-production UPDATE_COMPLETE
    Alarms        KeysRefused since 2026-11-23 19:45 UTC
    Releases      cccccccccccc at 2026-11-23 19:35 UTC, bbbbbbbbbbbb at 2026-11-21 01:20 UTC
    By hand       nothing in 3 days (CloudTrail is minutes late, and has no changes of items)
    Requests      557 in 60 minutes: 309 served, 9 failed (2.9%), 206 with a refused key, 12 throttled, 30 blocked by the web ACL
    Failed        500 ×9
      operations  GET /unrelated ×9
      clients     other ×9
      logged      9 times by PetStore-production-ListPetsLogs-1A2B version 7: internal_error, Error, unrelated
    Throttled     listPets ×12; clients: other ×12
    Refused       key acme00000000 of acme since 2026-11-23 19:40 UTC, served 9,300 times before
    Refused       key zoo00000000 of zoo since 2026-11-23 19:40 UTC, served 500 times before
    Throttles     PetStore-production-GetPetFunction1A2B ×2
    Tables        pets: PetStore-production-TablesPets1A2B ACTIVE, 12,000 items (counted every six hours)
    Tables        apiKeys: PetStore-production-restored-apiKeys-202611010300 ACTIVE, 0 items (counted every six hours); not used: PetStore-production-TablesApiKeys1A2B, 9 items; not used: PetStore-production-restored-apiKeys-202609010300, 3 items"
  `);
});

it('marks a call that failed, and concludes without it', async () => {
  const denied = () => {
    throw Object.assign(new Error('not authorized to perform cloudtrail:LookupEvents'), {
      name: 'AccessDenied',
    });
  };

  const report = await reportOf({ ...unexplained, answers: { LookupEvents: denied } });

  expect(report.unread).toEqual([
    'changes by hand: AccessDenied: not authorized to perform cloudtrail:LookupEvents',
  ]);
  expect(report.findings[0]?.says).toMatch(
    /The figures do not show why; what changed before is not known\.$/,
  );
});

it('claims no beginning of failures if it could not read their minutes', async () => {
  const GetMetricData = () => {
    throw new Error('denied');
  };

  expect((await reportOf({ ...unexplained, answers: { GetMetricData } })).findings[0]?.says).toMatch(
    /^10\.8% of requests failed in 60 minutes\. The figures do not show why; what changed/,
  );
});

it('draws no conclusion from requests that it could not read', async () => {
  const StartQuery = () => {
    throw new Error('denied');
  };

  expect((await reportOf({ answers: { StartQuery } })).findings[0]?.says).toBe(
    'The figures allow no conclusion: requests, log could not be read.',
  );
});

/** Reads a stage while each call ends with an error. */
function reportWithout(error: Error) {
  const { clients } = fakeStage();
  const send = () => {
    throw error;
  };
  for (const client of Object.values(clients)) Object.assign(client, { send });
  return readStage(triage, 'production', { minutes: 60 }, { clients, now, settings });
}

it('fails if AWS denies everything', async () => {
  await expect(reportWithout(new Error('denied'))).rejects.toThrow('denied');
});

it.each<[string, Error]>([
  ['a connection ends', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
  ['a connection takes too long', Object.assign(new Error('connect'), { name: 'TimeoutError' })],
  ['AWS answers 503', Object.assign(new Error('503'), { $metadata: { httpStatusCode: 503 } })],
])('says that the region is down if each call fails: %s', async (_title, error) => {
  const report = await reportWithout(error);

  expect(report.findings[0]?.says).toBe(
    'AWS answers none of the calls: its region is down, or your network.',
  );
  expect(wordsBeforeAction(reportText(report))).toBeLessThanOrEqual(35);
});
