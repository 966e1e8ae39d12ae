import * as v from 'valibot';
import { expect, it } from 'vitest';
import { accessLogFormat } from '../../../infra/service/access-log-format.ts';
import { capitalize } from '../../../infra/stack-names.ts';
import { requestRejectedMessage } from '../../../shared/lambda/log.ts';
import { type OperationId, operations } from '../../../shared/service.ts';
import { damagedItemMessage } from '../../../shared/tables/stored-item.ts';
import { create, list, table } from '../../support/contract/own-operations.ts';
import { everySetting } from '../../support/infra/stage-settings.ts';
import { productionTemplate } from '../../support/infra/synthesize.ts';
import { readableTemplate } from '../../support/infra/template.ts';
import { AlarmProperties, CompositeAlarm, changesOf } from '../../support/monitoring/alarm-state.ts';
import { MetricFilter, seriesOf } from '../../support/monitoring/filter-pattern.ts';

const { name, certificateArn } = everySetting.domain;
const daysToExpiry = `DaysToExpiry Minimum ${certificateArn}`;
const { propertiesOf } = readableTemplate(productionTemplate({ domain: { name, certificateArn } }));
const alarms = {
  metric: v.parse(v.record(v.string(), AlarmProperties), propertiesOf('AWS::CloudWatch::Alarm')),
  composite: v.parse(v.record(v.string(), CompositeAlarm), propertiesOf('AWS::CloudWatch::CompositeAlarm')),
};
const filters = v.parse(v.array(MetricFilter), Object.values(propertiesOf('AWS::Logs::MetricFilter')));

const List = capitalize(list.operationId);
const Create = capitalize(create.operationId);
const ownTable = `Tables${capitalize(table.id)}`;
const [index] = Object.keys(table.indexes);
const accessLog = 'PetStoreAccessLogs';
const count = 'Count pet-store-production';
const errors = '5XXError pet-store-production';
const lines = `IncomingLogEvents ${accessLog}`;

/** Returns a line of the access log: a missing value is `-`, as on AWS. */
const accessLogLine = (values: Readonly<Record<string, string>>) =>
  `${accessLogFormat}`.replaceAll(/\$context\.([A-Za-z.]+)/g, (_variable, name) => values[name] ?? '-');

/** Requests of one kind, as the access log records them: requests per minute, operation, status. */
type Traffic = readonly [number, OperationId, number, object?];
/** What the metric filters and AWS count per minute. */
type Rates = Readonly<Record<string, number>>;

function during(traffic: readonly Traffic[]): Rates {
  const rates: Record<string, number> = {};
  for (const [rate, operation, status, details] of traffic) {
    const line = accessLogLine({
      status: `${status}`,
      responseLatency: '1000',
      httpMethod: operations[operation].method,
      resourcePath: operations[operation].path,
      ...(status !== 401 && { 'authorizer.client': 'acme' }),
      ...details,
    });
    const series = [count, lines, ...(status >= 500 ? [errors] : []), ...seriesOf(filters, accessLog, line)];
    for (const name of series) rates[name] = (rates[name] ?? 0) + rate;
  }
  return rates;
}

const usual: readonly Traffic[] = [
  [750, list.operationId, 200],
  [250, create.operationId, 201],
];
const day = during(usual);

/** Returns a day on which a share of the requests, to one operation or to all, gets another response. */
const changed = (share: number, status: number, details: Traffic[3] = {}, only?: OperationId): Rates =>
  during(
    usual.flatMap(([rate, operation, success]): Traffic[] => {
      const changing = !only || operation === only ? share * rate : 0;
      return [
        [rate - changing, operation, success],
        [changing, operation, status, details],
      ];
    }),
  );

/** Returns whole requests per minute: the nth one arrives when `rate × minute` reaches n. */
const counts = (rate: number, from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => from + index).map(
    (minute) => Math.floor(rate * (minute + 1)) - Math.floor(rate * minute),
  );

/** A number of minutes, and what is counted in them. */
type Phase = readonly [minutes: number, Rates];

/** Returns the series of several phases. What a phase does not name has no data then. */
const seriesOfPhases = (phases: readonly Phase[]) =>
  Object.fromEntries(
    phases
      .flatMap(([, rates]) => Object.keys(rates))
      .map((name) => {
        let from = 0;
        const ofPhases = phases.flatMap(([minutes, rates]) => {
          from += minutes;
          return counts(rates[name] ?? Number.NaN, from - minutes, from);
        });
        return [name, ofPhases];
      }),
  );

const nameOf = (id: string) =>
  ({ ...alarms.metric, ...alarms.composite })[id]?.AlarmName.replace('PetStore-production-', '') ?? id;
const severityOf = (id: string) =>
  /^page|^ticket/.exec({ ...alarms.metric, ...alarms.composite }[id]?.AlarmDescription ?? '')?.[0] ??
  'rollback';

/** Returns what is sent and rolled back, with the minute, after a day of other traffic. */
function sentIn(phases: readonly Phase[], before: Rates = day): string {
  const minutes = phases.reduce((sum, [duration]) => sum + duration, 0);
  const changes = changesOf(alarms, seriesOfPhases([[24 * 60, before], ...phases]), minutes);
  const rolledBack = new Set<string>();
  const texts = changes.map(({ minute, alarm, isFiring, isSent, causes }) => {
    if (isFiring && alarm.startsWith('Releases') && !rolledBack.has(alarm)) {
      rolledBack.add(alarm);
      return `rollback ${alarm.replace('ReleasesAlarms', '')} ${minute}`;
    }
    if (!isSent) return '';
    if (!isFiring) return `ok ${minute}`;
    const ofPage = causes.filter((id) => severityOf(id) === 'page' && !id.endsWith('Now')).map(nameOf);
    return `${severityOf(alarm)} ${nameOf(alarm) === 'Page' ? ofPage.join(' + ') : nameOf(alarm)} ${minute}`;
  });
  return texts.filter(Boolean).join(', ');
}

/** Returns a line of the log of a function's version. */
type Logged = (functionVersion: string) => string;

/** A canary gets requests, and for a part of them Lambda counts a metric, or the function logs something. */
function canary(name: string, rate: number, part: number, cause: string | Logged): Rates {
  const version = `${name}FunctionCurrentVersion.Version`;
  const ofLambda = `${version} ${name}Function ${name}Function:live`;
  const series =
    typeof cause === 'string' ? [`${cause} ${ofLambda}`] : seriesOf(filters, `${name}Logs`, cause(version));
  const counted = Object.fromEntries(series.map((each) => [each, part]));
  return { ...day, [`Invocations ${ofLambda}`]: rate, ...counted };
}
const logged =
  (level: string, message: string, code?: string): Logged =>
  (functionVersion) =>
    JSON.stringify({ level, message: { message, code, functionVersion } });
const fault = logged('ERROR', 'It failed.');
const damage = logged('ERROR', damagedItemMessage);
const rejected = (code: string) => logged('INFO', requestRejectedMessage, code);
const creates = (failing: number, rate = 20) =>
  during([
    ...usual.slice(0, 1),
    [rate - failing, create.operationId, 201],
    [failing, create.operationId, 500],
  ]);
const stranger = (rate: number, status: number, details: object = {}): Traffic => [
  rate,
  list.operationId,
  status,
  { 'authorizer.client': '-', ...details },
];
const hourly = (rate: number, status: number) => during([[rate / 60, list.operationId, status]]);
const night = (...more: Traffic[]) => during([[2, list.operationId, 200], ...more]);
const keyReads = 'ReadThrottleEvents TablesApiKeys';
const withoutIndex = changed(0.4, 500, {}, list.operationId);
const outage = { [count]: 1000, [errors]: 1000 };
const oneOf200 = (status: number) =>
  during([
    [1000, list.operationId, 200],
    [5, create.operationId, status],
  ]);
const slow = { responseLatency: '1001' };
const tenth = (details: object) =>
  during([
    [900, list.operationId, 200],
    [100, create.operationId, 201, details],
  ]);
const denied = { 'error.responseType': 'ACCESS_DENIED' };
const noKey = { 'error.responseType': 'UNAUTHORIZED' };
/** Returns what AWS WAF counts: allowed requests, those blocked by its rule NoKey, and all blocked ones. */
const webAcl = ({ allowed, NoKey, ALL }: { allowed: number; NoKey: number; ALL: number }): Rates => ({
  'AllowedRequests Region ALL PetStore-production': allowed,
  'BlockedRequests Region NoKey PetStore-production': NoKey,
  'BlockedRequests Region ALL PetStore-production': ALL,
});
const blocked = { wafResponseCode: 'WAF_BLOCK', 'authorizer.client': '-' };

it.each<[title: string, expected: string, during: Rates, minutes?: number, before?: Rates]>([
  ['a canary times out', `rollback ${List} 1`, canary(List, 20, 2, 'Errors')],
  ['a canary is slow', `rollback ${List} 1`, canary(List, 60, 12, 'Duration TC(1000:)')],
  ['3% of two creates a minute fail in a canary', '', canary(Create, 2, 0.06, fault), 15],
  ['a canary finds damage', `rollback ${List} 1, ticket a-damaged-item 31`, canary(List, 60, 20, damage)],
  ['a canary warns', '', canary(List, 20, 20, logged('WARN', 'It failed.'))],
  ['a canary denies every key', 'rollback Authorizer 5', canary('Authorizer', 10, 10, rejected('any'))],
  [
    'a canary rejects 31 creates a minute',
    `rollback ${Create} 15`,
    canary(Create, 3.1, 3.1, rejected('any')),
  ],
  ['a canary rejects 30 creates a minute', '', canary(Create, 3, 3, rejected('any'))],
  ['a canary rejects nine of ten requests', '', canary(List, 20, 18, rejected('any'))],
  ['a canary is asked for what does not exist', '', canary(List, 20, 20, rejected('not_found'))],
  ['a canary is asked past the sunset', '', canary(List, 20, 20, rejected('gone'))],
  ['3% of 20 creates a minute fail', 'ticket requests-fail 112', creates(0.6), 120, creates(0)],
  ['18 of 240 creates fail in two hours', '', creates(0.15, 2), 120, creates(0, 2)],
  ['every create is a 400', 'ticket requests-are-rejected 40', changed(1, 400, {}, create.operationId)],
  ['clients get nothing but 405s', 'page NothingServed 15', during([[100, list.operationId, 405]])],
  ['all keys are denied', 'page NothingServed 15', changed(1, 401, denied)],
  [
    'every create fails, five of 1,005 requests',
    `page OperationDown-${create.operationId} 13`,
    oneOf200(500),
    20,
    oneOf200(201),
  ],
  [
    'a tenth of requests, all to one operation, are slow',
    'ticket responses-are-slow 39',
    tenth(slow),
    60,
    tenth({}),
  ],
  ['0.8% of requests fail for hours', 'ticket requests-fail 301', changed(0.008, 500), 320],
  ['6% of requests fail', 'rollback Errors 2, page GatewayErrors 10', changed(0.06, 500), 15],
  ['0.1% of requests fail, as the objective allows', '', changed(0.001, 500), 360],
  ['a fifth of responses are slow', 'page LatencyBurnsFast 44', changed(0.2, 200, slow), 60],
  ['every create is a 410', '', changed(1, 410, {}, create.operationId)],
  ['a tenth of requests is throttled', 'ticket requests-are-throttled 43', changed(0.1, 429)],
  ['the web ACL blocks a flood', '', during([...usual, [9000, list.operationId, 429, blocked]])],
  ['the web ACL blocks scanners', '', { ...day, ...webAcl({ allowed: 1000, NoKey: 900, ALL: 905 }) }],
  [
    'the web ACL takes a fifth of the keys for malformed',
    'ticket the-web-acl-blocks-clients 36',
    { ...day, ...webAcl({ allowed: 800, NoKey: 0, ALL: 200 }) },
  ],
  ['Lambda throttles a stranger', '', { ...day, Throttles: 100 }],
  ['half of all requests get a 401', 'ticket keys-are-refused 40', changed(0.5, 401, denied)],
  ['0.2% of requests fail for days', 'ticket requests-fail 1291', changed(0.002, 500), 4320],
  ['everything fails at 6 requests an hour', 'page NothingServed 15', hourly(6, 500), 60, hourly(6, 200)],
  ['the log ends', 'page NothingServed + AccessLogEmpty 15', { [count]: 2 }, 60, night()],
  [
    'SNS cannot deliver',
    'ticket NotificationsFail 1',
    { ...day, 'NumberOfNotificationsFailed MonitoringTopicsPage.TopicName': 1 },
  ],
  ['the certificate expires in 29 days', 'ticket CertificateExpires 1', { ...day, [daysToExpiry]: 29 }],
  [
    'the certificate expires in two days',
    'ticket CertificateExpires 1, page CertificateExpiresSoon 1',
    { ...day, [daysToExpiry]: 2 },
  ],
])('the right notifications are sent when %s', (_title, expected, rates, minutes = 60, before = day) => {
  expect(sentIn([[minutes, rates]], before)).toBe(expected);
});

it.each<[title: string, expected: string, traffic: Traffic]>([
  ['requests without a key', '', [1.2, list.operationId, 401, noKey]],
  ['a client with an expired key', '', [6, list.operationId, 401, denied]],
  ['eleven made-up keys a minute', 'ticket keys-are-refused 39', stranger(11, 401, denied)],
  ['three throttled requests a minute', 'ticket requests-are-throttled 42', stranger(3, 429)],
  ['a flood of HEAD', '', stranger(900, 429, { httpMethod: 'HEAD' })],
  ['a flood of 405', '', stranger(900, 429, { httpMethod: 'PUT' })],
  ['a create an hour that fails', '', [1 / 60, create.operationId, 500]],
])('the right notifications are sent when a quiet night has %s', (_title, expected, traffic) => {
  expect(sentIn([[60, night(traffic)]], night())).toBe(expected);
});

it.each<[title: string, expected: string, during: Rates]>([
  ['everything fails', 'page AvailabilityBurnsFast 1, rollback Errors 2, ok 75', changed(1, 500)],
  ['the index is deleted', 'rollback Errors 2, page AvailabilityBurnsFast 3, ok 75', withoutIndex],
  ['responses are slow', 'page LatencyBurnsFast 9, ok 75', changed(1, 200, slow)],
  ['the pattern of keys is broken', 'page NothingServed 15, ok 61', changed(1, 401, noKey)],
  ['nothing arrives', 'page NothingServed 15, ok 61', {}],
  ['logs stop while all fails', 'page GatewayErrors 6, ok 70', outage],
  ['most requests are throttled', 'page MostRequestsThrottled 10, ok 61', changed(0.6, 429)],
])('one page is sent, once, and an OK soon after, when for an hour %s', (_title, expected, rates) => {
  expect(
    sentIn([
      [60, rates],
      [600, day],
    ]),
  ).toBe(expected);
});

it.each([
  ['writes', `WriteThrottleEvents ${ownTable}`, 20],
  ['reads of keys', keyReads, 20],
  ['reads of an index', `ReadThrottleEvents ${index} ${ownTable}`, 20],
  ['a function', `Throttles ${List}Function`, 3],
])('one ticket is opened when AWS throttles %s', (_title, series, rate) => {
  expect(sentIn([[60, { ...day, [series]: rate }]])).toBe('ticket functions-or-tables-are-throttled 36');
});

it('a page that lasts has one OK at its end, whatever causes follow each other', () => {
  const phases: readonly Phase[] = [
    [30, changed(1, 500)],
    [30, changed(1, 401, noKey)],
    [30, {}],
    [60, day],
  ];

  expect(sentIn(phases)).toBe('page AvailabilityBurnsFast 1, rollback Errors 2, ok 91');
});

it('a cause that comes back every quarter of an hour sends one page', () => {
  const phases = Array.from({ length: 6 }, (): readonly Phase[] => [
    [3, changed(1, 500)],
    [12, day],
  ]);

  expect(sentIn([...phases.flat(), [30, day]])).toBe(
    'page AvailabilityBurnsFast 1, rollback Errors 2, ok 93',
  );
});

it('a cause that outlasts the page by six hours opens a ticket', () => {
  const throttled = { [keyReads]: 20 };

  expect(
    sentIn([
      [60, { ...changed(1, 500), ...throttled }],
      [480, { ...day, ...throttled }],
    ]),
  ).toBe(
    'page AvailabilityBurnsFast 1, rollback Errors 2, ok 75, ticket functions-or-tables-are-throttled 435',
  );
});

it('an expired certificate, which has no metric any more, does not page again', () => {
  const soon = { ...day, [daysToExpiry]: 2 };

  expect(
    sentIn([
      [60, soon],
      [1500, day],
      [60, soon],
    ]),
  ).toBe('ticket CertificateExpires 1, page CertificateExpiresSoon 1');
});

it('log lines that come late on a quiet stage page nobody', () => {
  const phases = Array.from({ length: 60 }, (_, minute): Phase => {
    const line = minute % 10 === 0 ? 1 : 0;
    return [1, { [count]: minute % 10 === 9 ? 1 : 0, [lines]: line, Served: line }];
  });

  expect(sentIn(phases, { [count]: 0.1, [lines]: 0.1, Served: 0.1 })).toBe('');
});

it('an item whose damage is found every ten minutes opens one ticket', () => {
  expect(sentIn([[180, { ...day, DamagedItems: 0.1 }]])).toBe('ticket a-damaged-item 40');
});

// https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutMetricFilter.html
it('has filter patterns of at most the 1,024 characters that CloudWatch allows', () => {
  expect(filters.map(({ FilterPattern }) => FilterPattern.length).filter((length) => length > 1024)).toEqual(
    [],
  );
});
