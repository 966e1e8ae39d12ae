import { compileFunction } from 'node:vm';
import * as v from 'valibot';

/** What a metric counted in a minute. A minute that is missing has no data point, which is not a zero. */
export type DataPoints = readonly (number | undefined)[];

/** The data points of a stage's metrics by name, a minute each and the last one now. */
export type MetricData = Readonly<Record<string, DataPoints>>;

const MetricQuery = v.object({
  Id: v.string(),
  Expression: v.optional(v.string()),
  ReturnData: v.optional(v.boolean(), true),
  MetricStat: v.optional(v.object({ Metric: v.object({ MetricName: v.string() }), Period: v.number() })),
});

export const AlarmProperties = v.object({
  ComparisonOperator: v.literal('GreaterThanThreshold'),
  DatapointsToAlarm: v.optional(v.number()),
  EvaluationPeriods: v.number(),
  Metrics: v.optional(v.array(MetricQuery)),
  MetricName: v.optional(v.string(), ''),
  Period: v.optional(v.number(), 60),
  Threshold: v.number(),
  TreatMissingData: v.literal('notBreaching'),
});
type AlarmProperties = v.InferOutput<typeof AlarmProperties>;

/** Whether an alarm rings on metric data, by the alarm evaluation of CloudWatch with its sliding window. */
export function rings(alarm: AlarmProperties, data: MetricData): boolean {
  const { EvaluationPeriods, DatapointsToAlarm = EvaluationPeriods, Threshold } = alarm;
  const breaches = Array.from({ length: EvaluationPeriods }, (_, age) =>
    watchedValue(alarm, data, age),
  ).filter((value) => value !== undefined && value > Threshold);
  return breaches.length >= DatapointsToAlarm;
}

/** What an alarm looks at, `age` periods ago. */
function watchedValue({ Metrics, ...alarm }: AlarmProperties, data: MetricData, age: number): Value {
  if (!Metrics) {
    const values = inPeriod(data[alarm.MetricName], alarm.Period, age);
    return values.length === 0 ? undefined : Math.max(...values);
  }
  const sums = Metrics.flatMap(({ Id, MetricStat }) => {
    if (!MetricStat) return [];
    const values = inPeriod(data[MetricStat.Metric.MetricName], MetricStat.Period, age);
    return [[Id, values.length === 0 ? undefined : values.reduce((total, value) => total + value)] as const];
  });
  const names = { ...functions, ...Object.fromEntries(sums) };
  const returned = Metrics.find(({ ReturnData }) => ReturnData);
  // What of CloudWatch's metric math the alarms use is JavaScript as well. What is missing makes a sum no number.
  const evaluate = compileFunction(`return ${returned?.Expression}`, Object.keys(names));
  const value: unknown = evaluate(...Object.values(names));
  return Number.isNaN(value) ? undefined : v.parse(v.number(), value);
}

function inPeriod(points: DataPoints = [], period: number, age: number): number[] {
  const minutes = period / 60;
  const end = points.length - age * minutes;
  return points.slice(Math.max(0, end - minutes), Math.max(0, end)).filter((value) => value !== undefined);
}

type Value = number | undefined;

/** https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html */
const functions = {
  FILL: (value: Value, filling: number) => value ?? filling,
  IF: (condition: boolean, whenTrue: Value, whenFalse: Value) => (condition ? whenTrue : whenFalse),
};
