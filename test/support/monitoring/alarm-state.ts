import { compileFunction } from 'node:vm';
import * as v from 'valibot';

/** What a metric counted in a minute. A minute that is missing has no data point, which is not a zero. */
export type DataPoints = readonly (number | undefined)[];

/** The data points of a stage's metrics by name, one per minute, the last one now. */
export type MetricData = Readonly<Record<string, DataPoints>>;

const Metric = v.object({
  MetricName: v.string(),
  Dimensions: v.optional(v.array(v.object({ Name: v.string(), Value: v.string() })), []),
});
const MetricQuery = v.object({
  Id: v.string(),
  Expression: v.optional(v.string()),
  ReturnData: v.optional(v.boolean(), true),
  MetricStat: v.optional(v.object({ Metric, Period: v.number(), Stat: v.literal('Sum') })),
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

/** Returns whether an alarm fires on metric data. CloudWatch evaluates it every minute, on periods that end then. */
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
  if (!Metrics) {
    const { MetricName = '', Dimensions = [], Period, Statistic } = alarm;
    const values = inPeriod(data[keyOf({ MetricName, Dimensions })], Period, age);
    if (values.length === 0) return undefined;
    if (Statistic === 'Sum') return sum(values);
    return Statistic === 'Minimum' ? Math.min(...values) : Math.max(...values);
  }
  const sums = Metrics.flatMap(({ Id, MetricStat }) => {
    if (!MetricStat) return [];
    const values = inPeriod(data[keyOf(MetricStat.Metric)], MetricStat.Period, age);
    return [[Id, values.length === 0 ? undefined : sum(values)] as const];
  });
  const names = { ...functions, ...Object.fromEntries(sums) };
  const expression = Metrics.find(({ ReturnData }) => ReturnData)?.Expression ?? '';
  const value = evaluate(expression, names);
  return Number.isNaN(value) ? undefined : v.parse(v.number(), value);
}

/** Metrics of functions are named for their function too. */
function keyOf({ MetricName, Dimensions }: v.InferOutput<typeof Metric>): string {
  const target = Dimensions.find(({ Name }) => Name === 'FunctionName');
  return target ? `${MetricName} of ${target.Value}` : MetricName;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

function inPeriod(points: DataPoints = [], period: number, age: number): number[] {
  const minutes = period / 60;
  const end = points.length - age * minutes;
  return points.slice(Math.max(0, end - minutes), Math.max(0, end)).filter((value) => value !== undefined);
}

type Value = number | undefined;

/** The parts of CloudWatch's metric math that the alarms use are JavaScript too; a missing operand makes NaN. */
const compiled = new Map<string, ReturnType<typeof compileFunction>>();
function evaluate(expression: string, names: Readonly<Record<string, unknown>>): unknown {
  const run = compiled.get(expression) ?? compileFunction(`return ${expression}`, Object.keys(names));
  compiled.set(expression, run);
  return run(...Object.values(names));
}

/** https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html */
const functions = {
  FILL: (value: Value, filling: number) => value ?? filling,
  IF: (condition: boolean, whenTrue: Value, whenFalse: Value) => (condition ? whenTrue : whenFalse),
};
