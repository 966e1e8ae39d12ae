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

const reportOf = (world: World = {}) =>
  readStage(
    triage,
    'production',
    { minutes: 60 },
    { ...fakeStage(withBackground(world)), now, settings: productionSettings },
  );

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

describe('the conclusion', () => {
  it.each<[title: string, world: World, conclusion: RegExp, command: string | undefined]>([
    ['a brownout', brownout, /^DynamoDB is slow or fails \(TimeoutError, InternalServerError\)/, undefined],
    [
      'the wrong table of keys',
      wrongKeys,
      /seems to use the wrong table of apiKeys.*Do not restore/,
      'npm run stage -- rollback production',
    ],
    [
      'a damaged pet',
      damagedPet,
      /^Damaged items fail: pets 42, with wrong status, name/,
      `aws dynamodb get-item --table-name ${pets} --key '{"id":{"N":"42"}}' --query Item --output json > item.json`,
    ],
    [
      'a deleted table',
      deletedTable,
      /^The table of pets, .*, does not exist any more\. 509 requests/,
      'npm run stage -- restore production',
    ],
    [
      'a bad release',
      { ...unexplained, releases: released(24) },
      /^109 requests \(10\.8%\) have failed since 2026-11-23 19:4.* soon after the release of cccccccccccc at 2026-11-23 19:36 UTC/,
      'npm run stage -- rollback production',
    ],
    [
      'a change by hand',
      {
        ...unexplained,
        events: [
          {
            minutes: 21,
            name: 'UpdateFunctionConfiguration20150331v2',
            parameters: { functionName: 'PetStore-production-ListPetsFunction1A2B' },
          },
        ],
      },
      /soon after assumed-role\/PetStore-production-access-on-call\/alice called UpdateFunctionConfiguration20150331v2 on PetStore-production-ListPetsFunction1A2B at /,
      'npx cdk drift PetStore-production',
    ],
    [
      'what was changed last before the failures',
      {
        ...unexplained,
        releases: released(50),
        events: [{ minutes: 21, name: 'UpdateAlias', parameters: { functionName: pets } }],
      },
      /soon after .*alice called UpdateAlias/,
      'npx cdk drift PetStore-production',
    ],
    [
      'a brownout long after a release',
      { ...brownout, releases: released(50) },
      /^DynamoDB is slow or fails/,
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
      /ListPetsLogs-1A2B logs that its function is not authorized to perform: dynamodb:Query on resource: arn:x\. 109 .*, soon after .* called DeleteRolePolicy/,
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
      'failures that began before the period',
      { ...unexplained, requests: [requests(900), requests(100, { status: 500 })], releases: released(30) },
      /^The figures allow no conclusion\. 109 .* have failed at least since 2026-11-23 19:00 UTC; whether a release/,
      'npm run stage -- triage production --minutes 240',
    ],
    [
      'made-up keys',
      { alarms: ['KeysRefused'], requests: [requests(900), requests(300, denied)] },
      /^Made-up keys: .* Clients are not affected\.$/,
      undefined,
    ],
    [
      'nothing wrong if a client asks for pets that do not exist',
      {
        releases: released(25),
        requests: [requests(900), requests(50, { ...zoo, ...since(22), status: 404 })],
        earlier: [requests(900, zoo)],
      },
      /^Nothing is wrong, as far as these figures show it: 959 requests were served\. 9 requests \(0\.9%\) have failed as before\./,
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
      /^Damaged items fail: pets 42/,
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
      /^Keys that were served before are refused: 1, of zoo/,
      'npm run keys -- list --stage production --client zoo',
    ],
    [
      'a lost index',
      { tables: { [pets]: { GlobalSecondaryIndexes: [] }, [apiKeys]: 9 } },
      /index byStatus of .* gone/,
      `aws dynamodb update-table --table-name ${pets} --attribute-definitions AttributeName=status,AttributeType=S AttributeName=id,AttributeType=N --global-secondary-index-updates '[{"Create":{"IndexName":"byStatus","KeySchema":[{"AttributeName":"status","KeyType":"HASH"},{"AttributeName":"id","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}}]'`,
    ],
    [
      'a function that Lambda does not run',
      {
        requests: [failed(50, { responseType: 'INTEGRATION_FAILURE', integrationStatus: 429 })],
        throttles: { 'PetStore-production-ListPetsFunction1A2B': 50 },
      },
      /^Lambda refuses to run PetStore-production-ListPetsFunction1A2B \(50 times\)/,
      'aws lambda get-function-concurrency --function-name PetStore-production-ListPetsFunction1A2B',
    ],
    [
      'a throttled table',
      { ...brownout, throttles: { [pets]: 90 } },
      /^DynamoDB throttles .* \(360 times\)/,
      undefined,
    ],
    [
      'a client above its limit',
      { requests: [requests(100), requests(300, { ...zoo, status: 429, responseType: 'THROTTLED' })] },
      /most of them of zoo/,
      undefined,
    ],
    [
      'a web ACL that blocks',
      {
        requests: [requests(100), requests(300, { status: 401, waf: 'WAF_BLOCK', client: '-', keyId: '-' })],
      },
      /^The web ACL blocks 300 requests, mostly with a 401\. The figures do not show/,
      undefined,
    ],
    [
      'an access log without lines',
      { requests: [], unlogged: [requests(960)] },
      /^API Gateway counts \d+ requests in the last 15 minutes, but the access log has none/,
      'aws apigateway get-account',
    ],
  ])('names %s', async (_title, world, conclusion, command) => {
    const report = await reportOf(world);

    expect(report.conclusion).toMatch(conclusion);
    expect(report.steps[0]?.commands?.[0]).toBe(command);
    expect(report.unread).toEqual([]);
  });

  it('leaves out the changes of a deploy, and those elsewhere', async () => {
    const parameters = { functionName: 'PetStore-production-ListPetsFunction1A2B' };
    const events = [
      { minutes: 21, name: 'UpdateAlias', parameters, sourceIPAddress: 'cloudformation.amazonaws.com' },
      { minutes: 21, name: 'CreateChangeSet', parameters: { stackName: 'PetStore-production' } },
      { minutes: 21, name: 'UpdateAlias', parameters: { functionName: 'PetStore-staging-ListPets' } },
    ];

    expect((await reportOf({ ...unexplained, events })).conclusion).toMatch(
      /^The figures allow no conclusion/,
    );
  });

  it.each<[title: string, world: World, conclusion: RegExp]>([
    [
      'nothing arrives',
      { requests: [requests(500, until(20))] },
      /^No request was served in the last 15 minutes.*do not show whether DNS/,
    ],
    [
      'functions fail for no known reason',
      unexplained,
      /^The figures allow no conclusion\. 109 requests \(10\.8%\)/,
    ],
    [
      'clients notice what is no error',
      {},
      /^Nothing is wrong, as far as these figures show it.* whether the answers are right/,
    ],
  ])('says that it cannot know why if %s', async (_title, world, conclusion) => {
    expect(await reportOf(world)).toMatchObject({ conclusion: expect.stringMatching(conclusion) });
  });
});

it('prints the figures', async () => {
  const report = await reportOf({ ...wrongKeys, alarms: ['KeysRefused'] });

  expect(reportText(report)).toMatchInlineSnapshot(`
    "production at 2026-11-23T20:00:00.000Z, read with the role on-call

    Conclusion: The stage seems to use the wrong table of apiKeys, PetStore-production-restored-apiKeys-202611010300: none of the keys that were served before (2) is accepted, and it does not use PetStore-production-TablesApiKeys1A2B with 9 items. Then nothing is lost: a setting has changed. Do not restore.

    Next (role on-call): see how to go back to the release before
      AWS_PROFILE=production-on-call npm run stage -- rollback production

    Then: tell clients: docs/runbook.md#tell-clients

    Stack         PetStore-production UPDATE_COMPLETE
    Alarms        KeysRefused since 2026-11-23 19:45 UTC
    Releases      cccccccccccc at 2026-11-23 19:35 UTC, bbbbbbbbbbbb at 2026-11-21 01:20 UTC
    By hand       nothing in a day (CloudTrail is minutes late, and has no changes of items)
    Requests      509 in 60 minutes: 309 served, 9 failed (2.9%), 200 with a refused key, 0 throttled, 0 blocked by the web ACL
    Failed        as before: 500 ×9
      operations  GET /unrelated ×9
      clients     other ×9
      logged      9 times by PetStore-production-ListPetsLogs-1A2B version 7: internal_error, Error, unrelated
    Refused       key acme00000000 of acme since 2026-11-23 19:40 UTC, served 9,300 times before
    Refused       key zoo00000000 of zoo since 2026-11-23 19:40 UTC, served 500 times before
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

  const report = await reportOf({ ...brownout, answers: { LookupEvents: denied } });

  expect(report.unread).toEqual([
    'changes by hand: AccessDenied: not authorized to perform cloudtrail:LookupEvents',
  ]);
  expect(report.conclusion).toMatch(/^DynamoDB is slow or fails.*change by hand came before is not known\.$/);
});

it('claims no beginning of failures if it could not read their minutes', async () => {
  const GetMetricData = () => {
    throw new Error('denied');
  };

  expect((await reportOf({ ...unexplained, answers: { GetMetricData } })).conclusion).toMatch(
    /^The figures allow no conclusion\. 109 requests \(10\.8%\) have failed in the last 60 minutes; whether/,
  );
});

it('draws no conclusion from requests that it could not read', async () => {
  const StartQuery = () => {
    throw new Error('denied');
  };

  expect((await reportOf({ answers: { StartQuery } })).conclusion).toBe(
    'The figures allow no conclusion: requests, log could not be read.',
  );
});

it('fails if nothing can be read', async () => {
  const denied = () => {
    throw new Error('denied');
  };
  const { clients } = fakeStage();
  for (const client of Object.values(clients)) Object.assign(client, { send: denied });
  const report = readStage(
    triage,
    'production',
    { minutes: 60 },
    { clients, now, settings: productionSettings },
  );

  await expect(report).rejects.toThrow('denied');
});
