import { Duration } from 'aws-cdk-lib';
import * as v from 'valibot';
import { operations } from '../../../shared/contract/operations.ts';
import { productionTemplate } from '../infra/synthesize.ts';
import { arnOf, readableTemplate } from '../infra/template.ts';
import { type AccessLogValues, accessLogLine } from './access-log-line.ts';
import { AlarmProperties, fires, type MetricData } from './alarm-state.ts';
import { MetricFilters, matchesPattern } from './filter-pattern.ts';
import { healthy, type Incident, type Traffic } from './incidents.ts';

/** Production, with every setting that adds an alarm. */
const template = productionTemplate({
  expectsTrafficWithin: Duration.minutes(15),
  domain: { name: 'api.pets.example', certificateArn: arnOf('certificate') },
});
const { propertiesOf } = readableTemplate(template);

const Notified = v.object({
  AlarmName: v.optional(v.string(), ''),
  AlarmDescription: v.string(),
  AlarmActions: v.optional(v.array(v.string()), []),
  OKActions: v.optional(v.array(v.string()), []),
});

export const alarms = v.parse(
  v.record(v.string(), v.object({ ...AlarmProperties.entries, ...Notified.entries })),
  propertiesOf('AWS::CloudWatch::Alarm'),
);
export const composites = v.parse(
  v.record(v.string(), v.object({ ...Notified.entries, AlarmRule: v.string() })),
  propertiesOf('AWS::CloudWatch::CompositeAlarm'),
);
export const topicPolicies = Object.values(propertiesOf('AWS::SNS::TopicPolicy'));

const filters = v.parse(MetricFilters, propertiesOf('AWS::Logs::MetricFilter'));
const accessLogFilters = Object.values(filters).filter((it) => it.LogGroupName === 'PetStoreAccessLogs');
const rules = v.parse(
  v.record(
    v.string(),
    v.object({ EventPattern: v.unknown(), Targets: v.array(v.object({ Arn: v.string() })) }),
  ),
  propertiesOf('AWS::Events::Rule'),
);
const [{ AccessLogSetting }] = v.parse(
  v.tuple([v.object({ AccessLogSetting: v.object({ Format: v.string() }) })]),
  Object.values(propertiesOf('AWS::ApiGateway::Stage')),
);
const formatLine = accessLogLine(AccessLogSetting.Format);

/** Six hours, the longest window of an alarm on requests. */
const calmMinutes = 360;
/** The delay of late data, in minutes. */
const lateness = 2;
/** Scales healthy traffic, 1,000 requests per minute, down to two. */
const quiet = 0.002;

/** An alarm that fires in an incident. */
export interface Notification {
  readonly severity: 'page' | 'rollback' | 'ticket';
  readonly alarm: string;
  /** Minutes until it fires, with data on time, late data, and both in a quiet stage; undefined: never. */
  readonly minutes: readonly (number | undefined)[];
}

/** Runs an incident minute by minute, and returns the alarms that fire. */
export function runIncident(incident: Incident): Notification[] {
  if (incident.event) return matchingRules(incident.event);
  const runs = [1, ...(incident.isAlsoQuiet ? [quiet] : [])].flatMap((scale) =>
    [0, lateness].map((late) => firstMinutes(incident, scale, late)),
  );
  const ids = new Set(runs.flatMap((minutes) => [...minutes.keys()]));
  return [...ids].map((id) => ({ ...namedAlarm(id), minutes: runs.map((minutes) => minutes.get(id)) }));
}

/** Returns the minute in which each alarm first fires, by id. */
function firstMinutes(incident: Incident, scale: number, late: number): Map<string, number> {
  const { lasts = 20, traffic = healthy, metrics = {} } = incident;
  const calm = metricsOf(healthy, scale);
  const data = Object.entries({ ...metricsOf(traffic, scale), ...metrics }).map(([name, during]) => ({
    name,
    points: [...repeat(calm[name], calmMinutes), ...repeat(during, lasts), ...repeat(calm[name], lateness)],
  }));
  const first = new Map<string, number>();
  for (let minute = 1; minute <= lasts + lateness; minute += 1) {
    const known = calmMinutes + minute - late;
    const now = data.map(({ name, points }) => [
      name,
      [...points.slice(0, known), ...repeat(undefined, late)],
    ]);
    for (const id of firing(Object.fromEntries(now))) if (!first.has(id)) first.set(id, minute);
  }
  return first;
}

/** Returns the ids of the alarms that fire, without the windows of composite alarms. */
function firing(data: MetricData): string[] {
  const ids = Object.entries(alarms)
    .filter(([, alarm]) => fires(alarm, data))
    .map(([id]) => id);
  const both = Object.entries(composites)
    .filter(([, { AlarmRule }]) => (AlarmRule.match(/Monitoring\w+/g) ?? []).every((id) => ids.includes(id)))
    .map(([id]) => id);
  return [...both, ...ids.filter((id) => !/(Long|Short)$/.test(id))];
}

function namedAlarm(id: string): Omit<Notification, 'minutes'> {
  const { AlarmName = '', AlarmActions: [topic] = [] } = composites[id] ?? alarms[id] ?? {};
  return topic === undefined
    ? { severity: 'rollback', alarm: id.replace('ReleasesAlarms', '') }
    : { severity: severityOf(topic), alarm: AlarmName.replace('PetStore-production-', '') };
}

/** Returns the metrics of a minute: what the metric filters count in its log lines, and what AWS counts. */
function metricsOf(traffic: readonly Traffic[], scale: number): Readonly<Record<string, number>> {
  const requests = traffic.map((kind) => ({ line: formatLine(lineOf(kind)), count: scale * kind.perMinute }));
  const total = (isCounted: (line: string) => boolean) =>
    requests.reduce((sum, { line, count }) => (isCounted(line) ? sum + count : sum), 0);
  const counted = accessLogFilters.map(({ MetricTransformations: [{ MetricName }], FilterPattern }) => [
    MetricName,
    total((line) => matchesPattern(FilterPattern, line)),
  ]);
  const all = total(() => true);
  return { ...Object.fromEntries(counted), Count: all, IncomingLogEvents: all, DaysToExpiry: 300 };
}

function lineOf({ operation, status, responseType, latency = 12 }: Traffic): AccessLogValues {
  const isKnownClient =
    operation !== undefined && status !== 401 && responseType?.startsWith('AUTHORIZER') !== true;
  return {
    status: `${status}`,
    responseLatency: `${latency}`,
    ...(operation && { httpMethod: operations[operation].method, resourcePath: operations[operation].path }),
    ...(isKnownClient && { 'authorizer.client': 'acme' }),
    ...(responseType && { 'error.responseType': responseType }),
  };
}

const matchingRules = (event: object): Notification[] =>
  Object.values(rules)
    .filter(({ EventPattern }) => matchesEvent(EventPattern, event))
    .flatMap(({ Targets }) => Targets)
    .map(({ Arn }) => ({ severity: severityOf(Arn), alarm: 'EventBridge rule', minutes: [0] }));

/** Returns whether an event has, for each field of a pattern, one of the values listed. */
function matchesEvent(pattern: unknown, event: unknown): boolean {
  if (Array.isArray(pattern)) {
    return pattern.some((value) => value === event || `${event}`.endsWith(Object(value).suffix));
  }
  return Object.entries(Object(pattern)).every(([name, part]) => matchesEvent(part, Object(event)[name]));
}

const repeat = <T>(value: T, times: number): T[] => Array.from({ length: times }, () => value);

const severityOf = (topic: string) => (topic === 'MonitoringTopicsPage' ? 'page' : 'ticket');
