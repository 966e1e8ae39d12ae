import * as v from 'valibot';
import { expect, it } from 'vitest';
import { accessLogFormat } from '../../../infra/service/access-log-format.ts';
import { type OperationId, operations } from '../../../shared/contract/operations.ts';
import { requestRejectedMessage } from '../../../shared/lambda/log.ts';
import { damagedItemMessage } from '../../../shared/tables/stored-item.ts';
import { productionTemplate } from '../../support/infra/synthesize.ts';
import { readableTemplate } from '../../support/infra/template.ts';
import { AlarmProperties, fires } from '../../support/monitoring/alarm-state.ts';
import { MetricFilter, seriesOf } from '../../support/monitoring/filter-pattern.ts';

const { propertiesOf } = readableTemplate(productionTemplate());
const alarms = v.parse(v.record(v.string(), AlarmProperties), propertiesOf('AWS::CloudWatch::Alarm'));
const filters = v.parse(v.array(MetricFilter), Object.values(propertiesOf('AWS::Logs::MetricFilter')));

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
  [600, 'listPets', 200],
  [250, 'createPet', 201],
  [150, 'getPet', 200],
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

/** Returns the series of a number of minutes, after six hours of other traffic. */
const seriesAfter = (before: Rates, rates: Rates, minutes: number) =>
  Object.fromEntries(
    Object.keys({ ...before, ...rates }).map((name) => {
      const calm = before[name] === undefined ? [] : counts(before[name], -360, 0);
      return [name, [...calm, ...counts(rates[name] ?? Number.NaN, 0, minutes)]];
    }),
  );

/** Returns the alarms that fire, with the minute, after six hours of other traffic. */
function firing(rates: Rates, minutes: number, before: Rates): string {
  const first = new Map<string, string>();
  const series = seriesAfter(before, rates, minutes);
  for (let minute = 1; minute <= minutes; minute += 1) {
    for (const [id, alarm] of Object.entries(alarms)) {
      const [, severity = 'rollback'] = /^(page|ticket): /.exec(alarm.AlarmDescription) ?? [];
      const name = alarm.AlarmName.replace('PetStore-production-', '') || id.replace('ReleasesAlarms', '');
      if (!first.has(id) && fires(alarm, series, minutes - minute))
        first.set(id, `${severity} ${name} ${minute}`);
    }
  }
  return [...first.values()].sort().join(', ');
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
const creates = (failing: number) =>
  during([...usual.slice(0, 1), [20 - failing, 'createPet', 201], [failing, 'createPet', 500]]);
const stranger = (rate: number, status: number, details: object = {}): Traffic => [
  rate,
  'getPet',
  status,
  { 'authorizer.client': '-', ...details },
];
const rare = (status: number) => during([[14 / 60, 'listPets', status]]);
const night = (...more: Traffic[]) => during([[2, 'listPets', 200], ...more]);
const keyReads = 'ReadThrottleEvents TablesApiKeys';
const indexReads = 'ReadThrottleEvents byStatus TablesPets';
const withoutIndex = changed(0.5, 500, {}, 'listPets');
const outage = { [count]: 1000, [errors]: 1000 };
const oneOf200 = (status: number) =>
  during([
    [1000, 'listPets', 200],
    [5, 'createPet', status],
  ]);
const slow = { responseLatency: '1001' };
const tenth = (details: object) =>
  during([
    [900, 'listPets', 200],
    [100, 'getPet', 200, details],
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
const everybodyBlocked = changed(1, 401, blocked);

it.each<[title: string, expected: string, during: Rates, minutes?: number, before?: Rates]>([
  ['a canary times out', 'rollback GetPet 1', canary('GetPet', 20, 2, 'Errors')],
  ['a canary is slow', 'rollback ListPets 1', canary('ListPets', 60, 12, 'Duration TC(1000:)')],
  ['3% of two creates a minute fail in a canary', '', canary('CreatePet', 2, 0.06, fault), 15],
  ['a canary finds damage', 'rollback GetPet 1, ticket DamagedItems 1', canary('GetPet', 60, 20, damage)],
  ['a canary warns', '', canary('GetPet', 20, 20, logged('WARN', 'It failed.'))],
  ['a canary denies every key', 'rollback Authorizer 5', canary('Authorizer', 10, 10, rejected('any'))],
  ['a canary rejects 50 creates', 'rollback CreatePet 10', canary('CreatePet', 5, 5, rejected('any'))],
  [
    'a canary rejects 31 creates a minute',
    'rollback CreatePet 15',
    canary('CreatePet', 3.1, 3.1, rejected('any')),
  ],
  ['a canary rejects 30 creates a minute', '', canary('CreatePet', 3, 3, rejected('any'))],
  ['a canary rejects nine of ten requests', '', canary('GetPet', 20, 18, rejected('any'))],
  ['a canary is asked for what does not exist', '', canary('GetPet', 20, 20, rejected('not_found'))],
  ['a canary is asked past the sunset', '', canary('GetPet', 20, 20, rejected('gone'))],
  ['3% of 20 creates a minute fail', 'ticket OperationFails-createPet 80', creates(0.6), 120, creates(0)],
  ['every create is a 400', 'ticket RequestsRejected-createPet 10', changed(1, 400, {}, 'createPet')],
  ['a night has requests without a key', '', night([1.2, 'listPets', 401, noKey]), 60, night()],
  ['a night has a client with an expired key', '', night([6, 'listPets', 401, denied]), 60, night()],
  [
    'a night has eleven made-up keys a minute',
    'ticket MostKeysRefused 10',
    night(stranger(11, 401, denied)),
    60,
    night(),
  ],
  [
    'a night has an expired key every five seconds',
    'ticket MostKeysRefused 10',
    night(stranger(12, 401, denied)),
    60,
    night(),
  ],
  [
    'a night has three throttled requests a minute',
    'ticket RequestsThrottled 12',
    night(stranger(3, 429)),
    60,
    night(),
  ],
  ['a night has a flood of HEAD', '', night(stranger(900, 429, { httpMethod: 'HEAD' })), 60, night()],
  ['a night has a flood of 405', '', night(stranger(900, 429, { httpMethod: 'POST' })), 60, night()],
  ['all keys are denied', 'page NoRequests 15, ticket MostKeysRefused 8', changed(1, 401, denied)],
  [
    'all keys are denied at 8 requests a minute',
    'page NoRequests 15',
    during([[8, 'listPets', 401, denied]]),
  ],
  ['the pattern of keys is broken', 'page NoRequests 15', changed(1, 401, noKey)],
  [
    'DNS is dead, but a scanner knows the address',
    'page NoRequests 15',
    during([[0.1, 'listPets', 401, noKey]]),
  ],
  ['logs stop while all fails', 'page AccessLogEmpty 10, page GatewayErrors 6, page NoRequests 15', outage],
  [
    'all of 14 requests an hour fail',
    'page MostRequestsFail 22, page OperationDown-listPets 22',
    rare(500),
    30,
    rare(200),
  ],
  [
    'every create fails, five of 1,005 requests',
    'page OperationDown-createPet 13, ticket OperationFails-createPet 4',
    oneOf200(500),
    20,
    oneOf200(201),
  ],
  ['a getPet an hour fails at night', '', night([1 / 60, 'getPet', 500]), 60, night()],
  [
    'a tenth of requests, all to one operation, are slow',
    'ticket OperationSlow-getPet 9',
    tenth(slow),
    20,
    tenth({}),
  ],
  ['requests no longer arrive', 'page NoRequests 15', {}],
  ['the index is deleted', 'page AvailabilityBurnsFast 3, rollback Errors 2', withoutIndex, 4],
  ['0.8% of requests fail for hours', 'ticket AvailabilityBurnsSlowly 271', changed(0.008, 500), 300],
  [
    '6% of requests fail',
    'page AvailabilityBurnsFast 15, page GatewayErrors 10, rollback Errors 2',
    changed(0.06, 500),
    15,
  ],
  ['0.1% of requests fail, as the objective allows', '', changed(0.001, 500), 360],
  [
    'a fifth of responses are slow',
    'page LatencyBurnsFast 44, ticket OperationSlow-createPet 44, ticket OperationSlow-getPet 44, ticket OperationSlow-listPets 44',
    changed(0.2, 200, slow),
    60,
  ],
  ['every getPet is a 410', '', changed(1, 410, {}, 'getPet')],
  ['a tenth of requests is throttled', 'ticket RequestsThrottled 13', changed(0.1, 429)],
  ['six of ten requests are throttled', 'page MostRequestsThrottled 10', changed(0.6, 429), 10],
  ['the web ACL blocks a flood', '', during([...usual, [9000, 'listPets', 429, blocked]])],
  ['the web ACL blocks scanners', '', { ...day, ...webAcl({ allowed: 1000, NoKey: 900, ALL: 905 }) }],
  [
    'the web ACL takes a fifth of the keys for malformed',
    'ticket WebAclBlocks 6',
    { ...day, ...webAcl({ allowed: 800, NoKey: 0, ALL: 200 }) },
  ],
  [
    'the web ACL blocks everybody',
    'page NoRequests 15, ticket WebAclBlocks 6',
    { ...everybodyBlocked, ...webAcl({ allowed: 0, NoKey: 0, ALL: 1000 }) },
  ],
  ['writes are throttled', 'ticket TablesThrottled-pets 6', { ...day, 'WriteThrottleEvents TablesPets': 20 }],
  ['reads of keys are throttled', 'ticket TablesThrottled-apiKeys 6', { ...day, [keyReads]: 20 }],
  ['an index is throttled', 'ticket TablesThrottled-pets 6', { ...day, [indexReads]: 20 }],
  ['Lambda throttles a function', 'ticket FunctionsThrottled 6', { ...day, Throttles: 3 }],
])('the right alarms fire when %s', (_title, expected, rates, minutes = 20, before = day) => {
  expect(firing(rates, minutes, before)).toBe(expected);
});

it('an item whose damage is found every ten minutes opens one ticket', () => {
  const alarm = v.parse(AlarmProperties, alarms['MonitoringAlarmsDamagedItems']);

  const series = seriesAfter(day, { ...day, DamagedItems: 0.1 }, 180);
  const states = Array.from({ length: 180 }, (_, minute) => fires(alarm, series, 179 - minute));
  const opened = states.filter((isFiring, minute) => isFiring && !states[minute - 1]);
  expect(opened).toHaveLength(1);
});

// https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutMetricFilter.html
it('has filter patterns of at most the 1,024 characters that CloudWatch allows', () => {
  expect(filters.map(({ FilterPattern }) => FilterPattern.length).filter((length) => length > 1024)).toEqual(
    [],
  );
});
