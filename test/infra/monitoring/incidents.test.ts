import { Duration } from 'aws-cdk-lib';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { accessLogFormat } from '../../../infra/service/access-log-format.ts';
import { type OperationId, operations } from '../../../shared/contract/operations.ts';
import { productionTemplate } from '../../support/infra/synthesize.ts';
import { readableTemplate } from '../../support/infra/template.ts';
import { accessLogLine } from '../../support/monitoring/access-log-line.ts';
import { AlarmProperties, fires } from '../../support/monitoring/alarm-state.ts';
import { MetricFilters, matchesPattern } from '../../support/monitoring/filter-pattern.ts';

const { propertiesOf } = readableTemplate(productionTemplate({ expectsTrafficWithin: Duration.minutes(15) }));
const alarms = v.parse(v.record(v.string(), AlarmProperties), propertiesOf('AWS::CloudWatch::Alarm'));
const filters = v.parse(MetricFilters, propertiesOf('AWS::Logs::MetricFilter'));
const formatLine = accessLogLine(accessLogFormat.toString());

interface Details {
  readonly responseType?: string;
  readonly latency?: number;
}
/** Requests of one kind, as the access log records them. */
type Traffic = readonly [perMinute: number, operation: OperationId, status: number, details?: Details];
/** What the metric filters and AWS count per minute. */
type Rates = Readonly<Record<string, number>>;

const day: readonly Traffic[] = [
  [600, 'listPets', 200],
  [250, 'createPet', 201],
  [150, 'getPet', 200],
];

/** Returns the traffic of a day, of which a share of the requests to these operations gets another response. */
const changed = (share: number, status: number, details: Details = {}, only = /./): Rates =>
  during(
    day.flatMap(([perMinute, operation, usual]): Traffic[] =>
      only.test(operation)
        ? [
            [perMinute * (1 - share), operation, usual],
            [perMinute * share, operation, status, details],
          ]
        : [[perMinute, operation, usual]],
    ),
  );

function during(traffic: readonly Traffic[], metrics: Rates = {}): Rates {
  const total = (isCounted: (kind: Traffic) => boolean) =>
    traffic.filter(isCounted).reduce((sum, [perMinute]) => sum + perMinute, 0);
  const counted = Object.values(filters)
    .filter(({ LogGroupName }) => LogGroupName === 'PetStoreAccessLogs')
    .map(({ MetricTransformations: [{ MetricName }], FilterPattern }) => [
      MetricName,
      total((kind) => matchesPattern(FilterPattern, lineOf(kind))),
    ]);
  const all = total(() => true);
  const errors = total(([, , status]) => status >= 500);
  return {
    ...Object.fromEntries(counted),
    Count: all,
    IncomingLogEvents: all,
    '5XXError': errors,
    ...metrics,
  };
}

const lineOf = ([, operation, status, { responseType = '-', latency = 12 } = {}]: Traffic) =>
  formatLine({
    status: `${status}`,
    responseLatency: `${latency}`,
    httpMethod: operations[operation].method,
    resourcePath: operations[operation].path,
    'error.responseType': responseType,
    ...(status !== 401 && !responseType.startsWith('AUTHORIZER') && { 'authorizer.client': 'acme' }),
  });

/** Returns whole requests per minute: the nth one arrives when `rate × minute` reaches n. */
const counts = (rate: number, from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => from + index).map(
    (minute) => Math.floor(rate * (minute + 1)) - Math.floor(rate * minute),
  );

/** Returns the alarms that fire, with the minute, after six hours of other traffic. */
function firing(rates: Rates, minutes: number, before: Rates): string {
  const first = new Map<string, string>();
  for (let minute = 1; minute <= minutes; minute += 1) {
    const series = Object.keys({ ...before, ...rates }).map((name) => {
      const calm = before[name] === undefined ? [] : counts(before[name], -360, 0);
      return [name, [...calm, ...counts(rates[name] ?? 0, 0, minute)]];
    });
    for (const [id, alarm] of Object.entries(alarms)) {
      if (!first.has(id) && fires(alarm, Object.fromEntries(series)))
        first.set(id, `${labelOf(id)} ${minute}`);
    }
  }
  return [...first.values()].sort().join(', ');
}

function labelOf(id: string): string {
  const { AlarmName = '', AlarmDescription = '' } = alarms[id] ?? {};
  const [, severity = 'rollback'] = /^(page|ticket): /.exec(AlarmDescription) ?? [];
  return `${severity} ${AlarmName.replace('PetStore-production-', '') || id.replace('ReleasesAlarms', '')}`;
}

const canary = (rates: Rates) => during(day, rates);
const creates = (failing: number): Rates =>
  during([
    [980, 'listPets', 200],
    [20 - failing, 'createPet', 201],
    [failing, 'createPet', 500],
  ]);
const rare = (status: number) => during([[14 / 60, 'listPets', status]]);
const night: Traffic = [2, 'listPets', 200];
const atNight = during([night]);
const denied = { responseType: 'ACCESS_DENIED' };
const noKey = { responseType: 'UNAUTHORIZED' };

it.each<[title: string, expected: string, during: Rates, minutes?: number, before?: Rates]>([
  ['nothing is wrong', '', during(day)],
  // Lambda's metrics are of the new version alone, and so are the faults and rejections that it logs.
  [
    'the authorizer of a canary denies all valid keys',
    'rollback Authorizer 5',
    canary({ 'Invocations of AuthorizerFunction': 10, RejectionsOfAuthorizer: 10 }),
  ],
  [
    'a canary rejects 50 creates',
    'rollback CreatePet 14',
    canary({ 'Invocations of CreatePetFunction': 10 / 3, RejectionsOfCreatePet: 10 / 3 }),
  ],
  [
    'clients ask a canary mostly for pets that do not exist',
    '',
    canary({ 'Invocations of GetPetFunction': 20, RejectionsOfGetPet: 18 }),
  ],
  [
    'a canary throws',
    'rollback GetPet 1',
    canary({ 'Invocations of GetPetFunction': 20, 'Errors of GetPetFunction': 20 }),
  ],
  [
    'a canary is slow',
    'rollback ListPets 1',
    canary({ 'Invocations of ListPetsFunction': 60, 'Duration of ListPetsFunction': 12 }),
  ],
  [
    '3% of two creates a minute fail in a canary',
    '',
    canary({ 'Invocations of CreatePetFunction': 2, FaultsOfCreatePet: 0.06 }),
    15,
  ],
  ['3% of 20 creates a minute fail', 'ticket OperationFails-createPet 80', creates(0.6), 120, creates(0)],
  ['every create is a 400', 'ticket RequestsRejected-createPet 10', changed(1, 400, {}, /createPet/)],
  [
    'a quiet night has 1.2 requests a minute without a key',
    '',
    during([night, [1.2, 'listPets', 401, noKey]]),
    60,
    atNight,
  ],
  [
    'a quiet night has a client with an expired key',
    '',
    during([night, [6, 'listPets', 401, denied]]),
    60,
    atNight,
  ],
  ['all keys are denied', 'page MostKeysRefused 8', changed(1, 401, denied)],
  [
    'logs stop while everything fails',
    'page AccessLogEmpty 10, page GatewayErrors 6',
    { Count: 1000, '5XXError': 1000 },
  ],
  ['all of 14 requests an hour fail', 'page MostRequestsFail 22', rare(500), 30, rare(200)],
  ['requests no longer arrive', 'page NoRequests 15', {}],
  ['every request fails', 'page AvailabilityBurnsFast 1, rollback Errors 2', changed(1, 500), 2],
  [
    'half of the lists fail because the index is deleted',
    'page AvailabilityBurnsFast 3, rollback Errors 2, ticket OperationFails-listPets 5',
    changed(0.5, 500, {}, /listPets/),
    5,
  ],
  ['0.8% of requests fail for hours', 'ticket AvailabilityBurnsSlowly 271', changed(0.008, 500), 300],
  ['0.1% of requests fail, as the objective allows', '', changed(0.001, 500), 360],
  ['a fifth of responses are slow', 'page LatencyBurnsFast 44', changed(0.2, 200, { latency: 1500 }), 60],
  ['every getPet is a 410', '', changed(1, 410, {}, /getPet/)],
  ['a tenth of requests is throttled', 'ticket RequestsThrottled 13', changed(0.1, 429)],
  [
    'writes are throttled',
    'ticket TablesThrottled-pets 8',
    canary({ 'WriteThrottleEvents of TablesPets': 2 }),
  ],
  ['Lambda throttles a function', 'ticket FunctionsThrottled 6', canary({ Throttles: 3 })],
  ['850 functions run at once', 'ticket ConcurrencyNearLimit 3', canary({ ClaimedAccountConcurrency: 850 })],
  ['a stored pet is damaged', 'ticket DamagedItems 1', canary({ DamagedItems: 1 })],
])('the right alarms fire when %s', (_title, expected, rates, minutes = 20, before = during(day)) => {
  expect(firing(rates, minutes, before)).toBe(expected);
});
