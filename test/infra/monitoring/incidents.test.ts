import * as v from 'valibot';
import { expect, it } from 'vitest';
import { accessLogFormat } from '../../../infra/service/access-log-format.ts';
import { type OperationId, operations } from '../../../shared/contract/operations.ts';
import { productionTemplate } from '../../support/infra/synthesize.ts';
import { readableTemplate } from '../../support/infra/template.ts';
import { accessLogLine } from '../../support/monitoring/access-log-line.ts';
import { AlarmProperties, fires } from '../../support/monitoring/alarm-state.ts';
import { MetricFilters, matchesPattern } from '../../support/monitoring/filter-pattern.ts';

const { propertiesOf } = readableTemplate(productionTemplate());
const alarms = v.parse(v.record(v.string(), AlarmProperties), propertiesOf('AWS::CloudWatch::Alarm'));
const filters = Object.values(v.parse(MetricFilters, propertiesOf('AWS::Logs::MetricFilter')));
const formatLine = accessLogLine(accessLogFormat.toString());

/** Requests of one kind, as the access log records them: requests per minute, operation, status. */
type Traffic = readonly [number, OperationId, number, { responseType?: string; latency?: number }?];
/** What the metric filters and AWS count per minute. */
type Rates = Readonly<Record<string, number>>;

function during(traffic: readonly Traffic[]): Rates {
  const requests = traffic.map(([rate, operation, status, { responseType = '-', latency = 12 } = {}]) => {
    const isKnown = status !== 401 && !responseType.startsWith('AUTHORIZER');
    const line = formatLine({
      status: `${status}`,
      responseLatency: `${latency}`,
      httpMethod: operations[operation].method,
      resourcePath: operations[operation].path,
      'error.responseType': responseType,
      ...(isKnown && { 'authorizer.client': 'acme' }),
    });
    return { rate, line };
  });
  const count = (pattern: string) =>
    requests.reduce((sum, { rate, line }) => sum + (matchesPattern(pattern, line) ? rate : 0), 0);
  const counted = filters
    .filter(({ LogGroupName }) => LogGroupName === 'PetStoreAccessLogs')
    .map(({ MetricTransformations: [{ MetricName }], FilterPattern }) => [MetricName, count(FilterPattern)]);
  const [all, errors] = [count('{ $.status > 0 }'), count('{ $.status >= 500 }')];
  return { ...Object.fromEntries(counted), Count: all, IncomingLogEvents: all, '5XXError': errors };
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

/** Returns the alarms that fire, with the minute, after six hours of other traffic. */
function firing(rates: Rates, minutes: number, before: Rates): string {
  const first = new Map<string, string>();
  for (let minute = 1; minute <= minutes; minute += 1) {
    const series = Object.keys({ ...before, ...rates }).map((name) => {
      const calm = before[name] === undefined ? [] : counts(before[name], -360, 0);
      return [name, [...calm, ...counts(rates[name] ?? Number.NaN, 0, minute)]];
    });
    for (const [id, alarm] of Object.entries(alarms)) {
      const [, severity = 'rollback'] = /^(page|ticket): /.exec(alarm.AlarmDescription) ?? [];
      const name = alarm.AlarmName.replace('PetStore-production-', '') || id.replace('ReleasesAlarms', '');
      if (!first.has(id) && fires(alarm, Object.fromEntries(series)))
        first.set(id, `${severity} ${name} ${minute}`);
    }
  }
  return [...first.values()].sort().join(', ');
}

/** A canary, whose metrics are of the new version alone: Lambda's, or those that filters count in its log. */
const canary = (name: string, rate: number, counted: Rates): Rates => {
  const rates = Object.entries({ Invocations: rate, ...counted }).map(([metric, value]) => [
    metric === 'Faults' || metric === 'Rejections' ? `${metric}Of${name}` : `${metric} of ${name}Function`,
    value,
  ]);
  return { ...day, ...Object.fromEntries(rates) };
};
const creates = (failing: number) =>
  during([...usual.slice(0, 1), [20 - failing, 'createPet', 201], [failing, 'createPet', 500]]);
const rare = (status: number) => during([[14 / 60, 'listPets', status]]);
const night = (...more: Traffic[]) => during([[2, 'listPets', 200], ...more]);
const withoutIndex = changed(0.5, 500, {}, 'listPets');
const outage = { Count: 1000, '5XXError': 1000 };
const denied = { responseType: 'ACCESS_DENIED' };
const noKey = { responseType: 'UNAUTHORIZED' };

it.each<[title: string, expected: string, during: Rates, minutes?: number, before?: Rates]>([
  ['a canary denies all valid keys', 'rollback Authorizer 5', canary('Authorizer', 10, { Rejections: 10 })],
  ['a canary rejects 50 creates', 'rollback CreatePet 10', canary('CreatePet', 5, { Rejections: 5 })],
  ['a canary rejects nine of ten requests', '', canary('GetPet', 20, { Rejections: 18 })],
  ['a canary is slow', 'rollback ListPets 1', canary('ListPets', 60, { Duration: 12 })],
  ['3% of two creates a minute fail in a canary', '', canary('CreatePet', 2, { Faults: 0.06 }), 15],
  ['3% of 20 creates a minute fail', 'ticket OperationFails-createPet 80', creates(0.6), 120, creates(0)],
  ['every create is a 400', 'ticket RequestsRejected-createPet 10', changed(1, 400, {}, 'createPet')],
  ['a night has requests without a key', '', night([1.2, 'listPets', 401, noKey]), 60, night()],
  ['a night has a client with an expired key', '', night([6, 'listPets', 401, denied]), 60, night()],
  ['all keys are denied', 'page MostKeysRefused 8', changed(1, 401, denied)],
  ['logs stop while all fails', 'page AccessLogEmpty 10, page GatewayErrors 6', outage],
  ['all of 14 requests an hour fail', 'page MostRequestsFail 22', rare(500), 30, rare(200)],
  ['requests no longer arrive', 'page NoRequests 15', {}],
  ['the index is deleted', 'page AvailabilityBurnsFast 3, rollback Errors 2', withoutIndex, 4],
  ['0.8% of requests fail for hours', 'ticket AvailabilityBurnsSlowly 271', changed(0.008, 500), 300],
  ['0.1% of requests fail, as the objective allows', '', changed(0.001, 500), 360],
  ['a fifth of responses are slow', 'page LatencyBurnsFast 44', changed(0.2, 200, { latency: 1500 }), 60],
  ['every getPet is a 410', '', changed(1, 410, {}, 'getPet')],
  ['a tenth of requests is throttled', 'ticket RequestsThrottled 13', changed(0.1, 429)],
  ['six of ten requests are throttled', 'page MostRequestsThrottled 10', changed(0.6, 429), 10],
  [
    'writes are throttled',
    'ticket TablesThrottled-pets 6',
    { ...day, 'WriteThrottleEvents of TablesPets': 20 },
  ],
  ['Lambda throttles a function', 'ticket FunctionsThrottled 6', { ...day, Throttles: 3 }],
  ['a stored item is damaged', 'ticket DamagedItems 1', { ...day, DamagedItems: 1 }],
])('the right alarms fire when %s', (_title, expected, rates, minutes = 20, before = day) => {
  expect(firing(rates, minutes, before)).toBe(expected);
});
