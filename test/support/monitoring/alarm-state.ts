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

export const AlarmProperties = v.object({
  ...v.partial(Metric).entries,
  AlarmDescription: v.string(),
  AlarmName: text,
  ComparisonOperator: v.string(),
  DatapointsToAlarm: v.optional(v.number()),
  EvaluationPeriods: v.number(),
  Metrics: v.optional(v.array(Query), []),
  Period: v.optional(v.number(), 60),
  Statistic: text,
  Threshold: v.number(),
});
type AlarmProperties = v.InferOutput<typeof AlarmProperties>;

/**
 * Returns whether an alarm fires, now or some minutes ago. This is a model: it assumes that CloudWatch evaluates every minute, on
 * periods that end then, without late data, and that FILL also fills a metric that never had data.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
 */
export function fires(alarm: AlarmProperties, counts: Counts, minutesAgo = 0): boolean {
  const { EvaluationPeriods, DatapointsToAlarm = EvaluationPeriods } = alarm;
  const values = Array.from({ length: EvaluationPeriods }, (_, age) =>
    watchedValue(alarm, counts, { age, minutesAgo }),
  );
  return values.filter((value) => isBreaching(alarm, value)).length >= DatapointsToAlarm;
}

function isBreaching({ ComparisonOperator, Threshold }: AlarmProperties, value: number) {
  // Without data, CloudWatch evaluates older data points first, however the alarm treats missing data.
  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
  if (Number.isNaN(value)) return false;
  if (ComparisonOperator === 'LessThanThreshold') return value < Threshold;
  return value > Threshold || (ComparisonOperator.startsWith('GreaterThanOrEqual') && value === Threshold);
}

/** A period that ended `age` periods and some minutes ago. */
interface Ago {
  readonly age: number;
  readonly minutesAgo: number;
}

/** Returns the value of the alarm's metric or expression in a period; NaN without data. */
function watchedValue({ Metrics, ...alarm }: AlarmProperties, counts: Counts, ago: Ago): number {
  const { MetricName = '', Dimensions = [], Period, Statistic: Stat } = alarm;
  const expression = Metrics.find(({ Expression }) => Expression)?.Expression;
  if (!expression) return sumOf({ Metric: { MetricName, Dimensions }, Period, Stat }, counts, ago);
  const operands = Metrics.flatMap((query) =>
    query.MetricStat ? [[query.Id, sumOf(query.MetricStat, counts, ago)] as const] : [],
  );
  // The metric math that the alarms use is also JavaScript.
  const names = { FILL, IF, ...Object.fromEntries(operands) };
  return compile(expression, Object.keys(names))(...Object.values(names));
}

/** Metric math, compiled: it is evaluated for each minute. */
const compiled = new Map<string, ReturnType<typeof compileFunction>>();

function compile(expression: string, names: readonly string[]) {
  const id = [expression, ...names].join();
  const evaluate = compiled.get(id) ?? compileFunction(`return Number(${expression})`, names);
  compiled.set(id, evaluate);
  return evaluate;
}

function sumOf({ Metric, Period, Stat }: v.InferOutput<typeof MetricStat>, counts: Counts, ago: Ago) {
  const dimensions = Metric.Dimensions.map(({ Value }) => Value);
  const series = [Metric.MetricName, ...(Stat === 'Sum' ? [] : [Stat]), ...dimensions].join(' ');
  const all = counts[series] ?? [];
  const end = Math.max(0, all.length - ago.minutesAgo - (ago.age * Period) / 60);
  const values = all.slice(Math.max(0, end - Period / 60), end).filter((value) => !Number.isNaN(value));
  if (values.length === 0) return Number.NaN;
  return values.reduce((sum, value) => sum + value);
}

const FILL = (value: number, filling: number) => (Number.isNaN(value) ? filling : value);
const IF = (condition: boolean, whenTrue: number, whenFalse: number) => (condition ? whenTrue : whenFalse);
