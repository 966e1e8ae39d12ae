import { compileFunction } from 'node:vm';
import * as v from 'valibot';

/** Data points of metrics by name, one per minute, the last one now; undefined: no data, which is not 0. */
export type MetricData = Readonly<Record<string, readonly (number | undefined)[]>>;

const Metric = v.object({
  MetricName: v.string(),
  Dimensions: v.optional(v.array(v.object({ Name: v.string(), Value: v.string() })), []),
});
const MetricStat = v.object({ Metric, Period: v.number(), Stat: v.string() });
const MetricQuery = v.object({
  Id: v.string(),
  Expression: v.optional(v.string()),
  MetricStat: v.optional(MetricStat),
});

export const AlarmProperties = v.object({
  ...v.partial(Metric).entries,
  ComparisonOperator: v.picklist(['GreaterThanThreshold', 'LessThanThreshold']),
  DatapointsToAlarm: v.optional(v.number()),
  EvaluationPeriods: v.number(),
  ExtendedStatistic: v.optional(v.literal('p90')),
  Metrics: v.optional(v.array(MetricQuery)),
  Period: v.optional(v.number(), 60),
  Statistic: v.optional(v.picklist(['Maximum', 'Minimum', 'Sum'])),
  Threshold: v.number(),
  TreatMissingData: v.picklist(['breaching', 'notBreaching']),
});
type AlarmProperties = v.InferOutput<typeof AlarmProperties>;
type Value = number | undefined;

/** Returns whether an alarm fires. CloudWatch evaluates it every minute, on periods that end then. */
export function fires(alarm: AlarmProperties, data: MetricData): boolean {
  const { EvaluationPeriods, DatapointsToAlarm = EvaluationPeriods } = alarm;
  const ages = Array.from({ length: EvaluationPeriods }, (_, age) => age);
  return ages.filter((age) => isBreaching(alarm, watchedValue(alarm, data, age))).length >= DatapointsToAlarm;
}

function isBreaching({ ComparisonOperator, Threshold, TreatMissingData }: AlarmProperties, value: Value) {
  if (value === undefined) return TreatMissingData === 'breaching';
  return ComparisonOperator === 'LessThanThreshold' ? value < Threshold : value > Threshold;
}

/** Returns the value of the alarm's metric or expression, `age` periods ago. */
function watchedValue({ Metrics, ...alarm }: AlarmProperties, data: MetricData, age: number): Value {
  const { MetricName = '', Dimensions = [], Period, Statistic: Stat = 'Maximum' } = alarm;
  if (!Metrics) return statisticOf({ Metric: { MetricName, Dimensions }, Period, Stat }, data, age);
  const operands = Metrics.flatMap((query) =>
    query.MetricStat ? [[query.Id, statisticOf(query.MetricStat, data, age)] as const] : [],
  );
  const { Expression = '' } = Metrics.find((query) => query.Expression !== undefined) ?? {};
  const value = evaluate(Expression, { ...functions, ...Object.fromEntries(operands) });
  return Number.isNaN(value) ? undefined : value;
}

function statisticOf(
  { Metric, Period, Stat }: v.InferOutput<typeof MetricStat>,
  data: MetricData,
  age: number,
) {
  // The names of functions' metrics include the function.
  const target = Metric.Dimensions.find(({ Name }) => Name === 'FunctionName');
  const points = data[target ? `${Metric.MetricName} of ${target.Value}` : Metric.MetricName] ?? [];
  const minutes = Period / 60;
  const end = Math.max(0, points.length - age * minutes);
  const values = points.slice(Math.max(0, end - minutes), end).filter((value) => value !== undefined);
  if (values.length === 0) return undefined;
  if (Stat === 'Sum') return values.reduce((total, value) => total + value);
  return Stat === 'Minimum' ? Math.min(...values) : Math.max(...values);
}

/** The metric math that the alarms use is also JavaScript; a missing operand yields NaN. */
const compiled = new Map<string, ReturnType<typeof compileFunction>>();
function evaluate(expression: string, names: Readonly<Record<string, unknown>>): number {
  const run = compiled.get(expression) ?? compileFunction(`return ${expression}`, Object.keys(names));
  compiled.set(expression, run);
  return run(...Object.values(names));
}

/** https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html */
const functions = {
  FILL: (value: Value, filling: number) => value ?? filling,
  IF: (condition: boolean, whenTrue: Value, whenFalse: Value) => (condition ? whenTrue : whenFalse),
};
