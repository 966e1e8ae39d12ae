import { compileFunction } from 'node:vm';
import * as v from 'valibot';

const Dimensions = v.optional(v.array(v.object({ Value: v.string() })), []);
export const MetricFilter = v.object({
  FilterPattern: v.string(),
  LogGroupName: v.string(),
  MetricTransformations: v.tuple([v.object({ MetricName: v.string(), Dimensions })]),
});
type MetricFilter = v.InferOutput<typeof MetricFilter>;

/** A condition of a filter pattern, such as `$.status >= 500`. */
const conditionPattern = /(\$\.[\w.]+) (=|!=|>|>=) ("[^"]*"|\d+|\*)/g;

/** Returns the series that count a line of a log: a metric's name with the values of its dimensions. */
export const seriesOf = (filters: readonly MetricFilter[], log: string, line: string): readonly string[] =>
  filters
    .filter(({ FilterPattern, LogGroupName }) => LogGroupName === log && matchesPattern(FilterPattern, line))
    .map(({ MetricTransformations: [{ MetricName, Dimensions }] }) =>
      [MetricName, ...Dimensions.map(({ Value }) => valueAt(line, Value))].join(' '),
    );

/**
 * Returns whether a line of JSON matches a filter pattern: `{ … }` with conditions that parentheses, `&&`
 * and `||` combine, as in JavaScript. Only numbers are compared by size. This is a model of CloudWatch Logs.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
 */
function matchesPattern(pattern: string, line: string): boolean {
  const combined = pattern.replaceAll(
    conditionPattern,
    (_condition, path, operator, operand) => `${isMet(valueAt(line, path), operator, operand)}`,
  );
  if (!/^\{ [()&|truefals ]+ \}$/.test(combined)) throw new Error(`Not a pattern for JSON: ${pattern}`);
  return compileFunction(`return ${combined.slice(1, -1)}`)();
}

function valueAt(line: string, path: string): unknown {
  const [, ...names] = path.split('.');
  return names.reduce((parent, name) => Object(parent)[name], JSON.parse(line));
}

function isMet(value: unknown, operator: string, operand: string): boolean {
  if (operand === '*') return value !== undefined;
  if (operator === '=') return value === JSON.parse(operand);
  if (operator === '!=') return value !== JSON.parse(operand);
  return typeof value === 'number' && (operator === '>' ? value > Number(operand) : value >= Number(operand));
}
