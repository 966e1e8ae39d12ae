import { compileFunction } from 'node:vm';
import * as v from 'valibot';

/**
 * What each series counts per minute, the last one now; NaN or a missing series means no data. A series has
 * the name of a metric, its statistic unless that is a sum, and its dimensions' values.
 */
export type Counts = Readonly<Record<string, readonly number[]>>;

const Metric = v.object({
  MetricName: v.string(),
  Dimensions: v.optional(v.array(v.object({ Value: v.string() })), []),
});
const MetricStat = v.object({ Metric, Period: v.number(), Stat: v.string() });
const text = v.optional(v.string(), '');
const Query = v.object({ Id: text, Expression: text, MetricStat: v.optional(MetricStat) });
const Described = {
  AlarmName: text,
  AlarmDescription: v.string(),
  AlarmActions: v.optional(v.array(v.string()), []),
  OKActions: v.optional(v.array(v.string()), []),
};

export const AlarmProperties = v.object({
  ...Described,
  ...v.partial(Metric).entries,
  ComparisonOperator: v.string(),
  DatapointsToAlarm: v.optional(v.number()),
  EvaluationPeriods: v.number(),
  Metrics: v.optional(v.array(Query), []),
  Period: v.optional(v.number(), 60),
  Statistic: text,
  Threshold: v.number(),
  TreatMissingData: text,
});
export type AlarmProperties = v.InferOutput<typeof AlarmProperties>;

export const CompositeAlarm = v.object({
  ...Described,
  AlarmRule: v.string(),
  ActionsSuppressor: v.optional(v.string()),
  ActionsSuppressorWaitPeriod: v.optional(v.number(), 0),
  ActionsSuppressorExtensionPeriod: v.optional(v.number(), 0),
});
type CompositeAlarm = v.InferOutput<typeof CompositeAlarm>;

/** Alarms by their logical ids. */
export interface Alarms {
  readonly metric: Readonly<Record<string, AlarmProperties>>;
  readonly composite: Readonly<Record<string, CompositeAlarm>>;
}

/** A change of a metric alarm's state, or one of a composite alarm's that is not suppressed. */
export interface Change {
  readonly minute: number;
  readonly alarm: string;
  readonly isFiring: boolean;
  /** Whether somebody is notified. */
  readonly isSent: boolean;
  /** The metric alarms that are firing then. */
  readonly causes: readonly string[];
}

/**
 * Returns how alarms change in the last minutes of the counts. This is a model: it assumes that CloudWatch
 * evaluates every minute, on periods that end then, that FILL also fills a metric that never had data, that
 * composite alarms follow at once, and that an extension is only for what fired before its suppressor's end.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Create_Composite_Alarm_Suppression.html
 */
export function changesOf({ metric, composite }: Alarms, counts: Counts, minutes: number): Change[] {
  const sums = Object.fromEntries(
    Object.entries(counts).map(([series, values]) => [series, runningSums(values)]),
  );
  const watched = Object.entries(metric).map(([id, alarm]) => ({
    id,
    alarm,
    valueAt: watchedValue(alarm, sums),
  }));
  const start = Math.max(...Object.values(counts).map(({ length }) => length)) - minutes;
  const changes: Change[] = [];
  /** The state of each alarm, and the minute since which it has been that. */
  const states = new Map<string, { isFiring: boolean; since: number }>();
  const isFiring = (id: string) => states.get(id)?.isFiring ?? false;
  const sinceOf = (id: string) => states.get(id)?.since ?? Number.NEGATIVE_INFINITY;
  /** Composite alarms whose present state has had its actions. */
  const done = new Set(Object.keys(composite));

  const combined = Object.entries(composite).map(([id, alarm]) => ({
    id,
    alarm,
    isMet: ruleOf(alarm, isFiring),
  }));

  for (let minute = 1; minute <= minutes; minute += 1) {
    const note = (alarm: string, { AlarmActions, OKActions }: CompositeAlarm | AlarmProperties) => {
      const isSent = (isFiring(alarm) ? AlarmActions : OKActions).length > 0;
      const causes = Object.keys(metric).filter(isFiring);
      changes.push({ minute, alarm, isFiring: isFiring(alarm), isSent, causes });
    };
    const update = (id: string, next: boolean): boolean => {
      const isChanged = next !== isFiring(id);
      if (isChanged) states.set(id, { isFiring: next, since: minute });
      return isChanged;
    };

    const changed = watched.filter(({ id, alarm, valueAt }) =>
      update(id, isBreaching(alarm, valueAt, start + minute, isFiring(id))),
    );
    for (const { id, alarm } of changed) note(id, alarm);
    for (const { id, alarm, isMet } of combined) {
      if (update(id, isMet())) done.delete(id);
      const { ActionsSuppressor = '', ...periods } = alarm;
      const suppressor = ActionsSuppressor.split(':').at(-1) ?? '';
      const wait = sinceOf(id) + periods.ActionsSuppressorWaitPeriod / 60;
      const extension = sinceOf(suppressor) + periods.ActionsSuppressorExtensionPeriod / 60;
      const isExtended = sinceOf(id) < sinceOf(suppressor) && minute < extension;
      const isSuppressed = isFiring(suppressor) || minute < wait || isExtended;
      if (done.has(id) || isSuppressed) continue;
      done.add(id);
      note(id, alarm);
    }
  }
  return changes;
}

/** Sums from the start to each minute, of the values and of how many there are. */
const runningSums = (counts: readonly number[]) => {
  const sums = [{ sum: 0, known: 0 }];
  for (const [index, count] of counts.entries()) {
    const { sum = 0, known = 0 } = sums[index] ?? {};
    sums.push(Number.isNaN(count) ? { sum, known } : { sum: sum + count, known: known + 1 });
  }
  return sums;
};
type Sums = Readonly<Record<string, ReturnType<typeof runningSums>>>;

/** Returns what tells whether the rule of a composite alarm, such as `(ALARM("a") OR ALARM("b"))`, is met. */
function ruleOf({ AlarmRule }: CompositeAlarm, isFiring: (id: string) => boolean): () => boolean {
  const expression = AlarmRule.replaceAll(/ALARM\("[^"]*?(\w+)"\)/g, (_alarm, id) => `is('${id}')`)
    .replaceAll(' AND ', ' && ')
    .replaceAll(' OR ', ' || ');
  if (!/^(is\('\w+'\)|[()&| ])+$/.test(expression)) throw new Error(`Not a rule of alarms: ${AlarmRule}`);
  const evaluate = compileFunction(`return ${expression}`, ['is']);
  return () => evaluate(isFiring);
}

/** Returns whether a metric alarm fires after some minutes. Without any data it does what it says. */
function isBreaching(alarm: AlarmProperties, valueAt: ValueAt, minute: number, before: boolean): boolean {
  const { EvaluationPeriods, DatapointsToAlarm = EvaluationPeriods, TreatMissingData } = alarm;
  const period = periodOf(alarm);
  const values = Array.from({ length: EvaluationPeriods }, (_, age) =>
    valueAt(Math.max(0, minute - age * period)),
  );
  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
  if (values.every(Number.isNaN))
    return TreatMissingData === 'ignore' ? before : TreatMissingData === 'breaching';
  return values.filter((value) => breaches(alarm, value)).length >= DatapointsToAlarm;
}

const breaches = ({ ComparisonOperator, Threshold }: AlarmProperties, value: number) =>
  ComparisonOperator === 'LessThanThreshold' ? value < Threshold : value > Threshold;

/** Returns the minutes of a period, which all metrics of an alarm share. */
const periodOf = ({ Metrics, Period }: AlarmProperties) =>
  (Metrics.find(({ MetricStat }) => MetricStat)?.MetricStat?.Period ?? Period) / 60;

/** Returns a value in the period that ends after some minutes; NaN without data. */
type ValueAt = (minute: number) => number;

/** Returns the value of an alarm's metric or expression. */
function watchedValue({ Metrics, ...alarm }: AlarmProperties, sums: Sums): ValueAt {
  const { MetricName = '', Dimensions = [], Period, Statistic: Stat } = alarm;
  const expression = Metrics.find(({ Expression }) => Expression)?.Expression;
  if (!expression) return sumOf({ Metric: { MetricName, Dimensions }, Period, Stat }, sums);
  const operands = Metrics.flatMap(({ Id, MetricStat }) =>
    MetricStat ? [{ Id, valueAt: sumOf(MetricStat, sums) }] : [],
  );
  // The metric math that the alarms use is also JavaScript.
  const names = ['FILL', 'IF', ...operands.map(({ Id }) => Id)];
  const evaluate = compileFunction(`return ${expression}`, names);
  return (minute) => Number(evaluate(FILL, IF, ...operands.map(({ valueAt }) => valueAt(minute))));
}

function sumOf({ Metric, Period, Stat }: v.InferOutput<typeof MetricStat>, sums: Sums): ValueAt {
  const dimensions = Metric.Dimensions.map(({ Value }) => Value);
  const series = [Metric.MetricName, ...(Stat === 'Sum' ? [] : [Stat]), ...dimensions].join(' ');
  const all = sums[series] ?? [];
  return (minute) => {
    const [first, last] = [all[Math.max(0, minute - Period / 60)], all[minute]];
    if (!first || !last || last.known === first.known) return Number.NaN;
    const sum = last.sum - first.sum;
    // The minimum of what hardly changes.
    return Stat === 'Minimum' ? sum / (last.known - first.known) : sum;
  };
}

const FILL = (value: number, filling: number) => (Number.isNaN(value) ? filling : value);
const IF = (condition: boolean, whenTrue: number, whenFalse: number) => (condition ? whenTrue : whenFalse);
