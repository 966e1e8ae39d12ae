import * as v from 'valibot';

/** What a metric counted in a minute. A minute that is missing has no data point, which is not a zero. */
export type DataPoints = readonly (number | undefined)[];

/** The data points of a stage's metrics, a minute each and the last one now, by name: `Errors`, `Throttles Function=x`. */
export type MetricData = Readonly<Record<string, DataPoints>>;

const MetricQuery = v.object({
  Id: v.string(),
  Expression: v.optional(v.string()),
  ReturnData: v.optional(v.boolean(), true),
  MetricStat: v.optional(v.object({ Metric: v.object({ MetricName: v.string() }), Period: v.number() })),
});

export const AlarmProperties = v.object({
  AlarmName: v.optional(v.string()),
  ComparisonOperator: v.literal('GreaterThanThreshold'),
  DatapointsToAlarm: v.optional(v.number()),
  EvaluationPeriods: v.number(),
  Metrics: v.optional(v.array(MetricQuery)),
  MetricName: v.optional(v.string()),
  Period: v.optional(v.number()),
  Threshold: v.number(),
  TreatMissingData: v.literal('notBreaching'),
});
export type AlarmProperties = v.InferOutput<typeof AlarmProperties>;

/** Whether an alarm rings on metric data, by the alarm evaluation of CloudWatch with its sliding window. */
export function rings(alarm: AlarmProperties, data: MetricData): boolean {
  const { EvaluationPeriods, DatapointsToAlarm = EvaluationPeriods, Threshold } = alarm;
  const breaches = Array.from({ length: EvaluationPeriods }, (_, age) =>
    watchedValue(alarm, data, age),
  ).filter((value) => value !== undefined && value > Threshold);
  return breaches.length >= DatapointsToAlarm;
}

/** What an alarm looks at, `age` periods ago. */
function watchedValue(alarm: AlarmProperties, data: MetricData, age: number): number | undefined {
  const { Metrics, MetricName, Period } = alarm;
  if (!Metrics) return inPeriod(data[MetricName ?? ''], Period ?? 0, age, (values) => Math.max(...values));

  const metrics = Object.fromEntries(
    Metrics.flatMap(({ Id, MetricStat }) =>
      MetricStat
        ? [[Id, inPeriod(data[MetricStat.Metric.MetricName], MetricStat.Period, age, sum)] as const]
        : [],
    ),
  );
  const returned = Metrics.find(({ ReturnData }) => ReturnData);
  return evaluate(returned?.Expression ?? '', metrics);
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

function inPeriod(
  points: DataPoints = [],
  period: number,
  age: number,
  statistic: (values: readonly number[]) => number,
): number | undefined {
  const minutes = period / 60;
  const end = points.length - age * minutes;
  const values = points
    .slice(Math.max(0, end - minutes), Math.max(0, end))
    .filter((value) => value !== undefined);
  return values.length === 0 ? undefined : statistic(values);
}

type Value = number | undefined;

/** The functions of metric math that the alarms use. */
const functions: Readonly<Record<string, (...parts: readonly Value[]) => Value>> = {
  FILL: (value, filling) => value ?? filling,
  IF: (condition, whenTrue, whenFalse) => {
    if (condition === undefined) return undefined;
    return condition === 0 ? whenFalse : whenTrue;
  },
};

/** What is missing makes missing what is reckoned with it. */
const operators: Readonly<Record<string, (left: number, right: number) => number>> = {
  '>': (left, right) => Number(left > right),
  '+': (left, right) => left + right,
  '/': (left, right) => left / right,
};

/** From what binds least to what binds most. */
const precedence = ['>', '+', '/'] as const;

/**
 * Evaluates what of CloudWatch's metric math the alarms use.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
 */
function evaluate(expression: string, metrics: Readonly<Record<string, Value>>): Value {
  const tokens = expression.match(/\w+|\S/g) ?? [];

  function reckon(level = 0): Value {
    const operator = precedence[level];
    if (operator === undefined) return operand();
    let left = reckon(level + 1);
    while (tokens[0] === operator) {
      tokens.shift();
      const right = reckon(level + 1);
      left = left === undefined || right === undefined ? undefined : operators[operator]?.(left, right);
    }
    return left;
  }

  function operand(): Value {
    const name = tokens.shift() ?? '';
    if (tokens[0] === '(') return call(name);
    if (/^\d+$/.test(name)) return Number(name);
    if (name in metrics) return metrics[name];
    throw new Error(`There is no metric ${name} in ${expression}`);
  }

  function call(name: string): Value {
    const parts: Value[] = [];
    do {
      tokens.shift();
      parts.push(reckon());
    } while (tokens[0] === ',');
    if (tokens.shift() !== ')' || !functions[name])
      throw new Error(`${name} is not understood in ${expression}`);
    return functions[name](...parts);
  }

  const value = reckon();
  if (tokens.length > 0) throw new Error(`${tokens.join(' ')} is not understood in ${expression}`);
  return value;
}
