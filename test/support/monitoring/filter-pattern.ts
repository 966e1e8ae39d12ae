import { compileFunction } from 'node:vm';
import * as v from 'valibot';

export const MetricFilters = v.record(
  v.string(),
  v.object({
    FilterPattern: v.string(),
    LogGroupName: v.string(),
    MetricTransformations: v.tuple([v.object({ MetricName: v.string() })]),
  }),
);

/** A condition of a filter pattern, such as `$.status >= 500`. */
const conditionPattern = /\$\.([\w.]+) (=|!=|>|>=) ("[^"]*"|\d+|\*)/g;

/**
 * Returns whether a line of JSON matches a filter pattern: `{ … }` with conditions that parentheses, `&&` and
 * `||` combine, as in JavaScript. Only numbers are compared by size. This is a model of CloudWatch Logs.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
 */
export function matchesPattern(pattern: string, line: string): boolean {
  const event: unknown = JSON.parse(line);
  const combined = pattern.replaceAll(conditionPattern, (_condition, path: string, operator, operand) => {
    const value = path.split('.').reduce<unknown>((parent, name) => Object(parent)[name], event);
    return `${isMet(value, operator, operand)}`;
  });
  if (!/^\{ [()&|truefals ]+ \}$/.test(combined)) throw new Error(`Not a pattern for JSON: ${pattern}`);
  return compileFunction(`return ${combined.slice(1, -1)}`)();
}

function isMet(value: unknown, operator: string, operand: string): boolean {
  if (operand === '*') return value !== undefined;
  if (operator === '=') return value === JSON.parse(operand);
  if (operator === '!=') return value !== JSON.parse(operand);
  return typeof value === 'number' && (operator === '>' ? value > Number(operand) : value >= Number(operand));
}
