import { compileFunction } from 'node:vm';
import * as v from 'valibot';

/** The metric filters of a template, from their properties by logical id. */
export const MetricFilters = v.pipe(
  v.record(
    v.string(),
    v.object({
      FilterPattern: v.string(),
      LogGroupName: v.string(),
      MetricTransformations: v.tuple([v.object({ MetricName: v.string() })]),
    }),
  ),
  v.transform((filters) => Object.values(filters)),
);

/** A condition of a filter pattern, such as `$.status >= 500`. */
const conditionPattern = /\$\.([\w.]+) (=|!=|>|>=) (?:"([^"]*)"|(\d+)|(\*))/g;

/**
 * Returns whether a line of JSON matches a filter pattern of CloudWatch Logs: `{ … }` with conditions that parentheses, `&&`
 * and `||` combine, as in JavaScript. Only numbers are compared by size.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
 */
export function matchesPattern(pattern: string, line: string): boolean {
  const inner = /^\{ (.*) \}$/.exec(pattern)?.[1];
  if (inner === undefined) throw new Error(`Not a pattern for JSON: ${pattern}`);
  const event: unknown = JSON.parse(line);
  const combined = inner.replaceAll(
    conditionPattern,
    (_condition, path: string, operator: string, text?: string, number?: string, any?: string) =>
      `${isMet(valueAt(event, path), operator, any ?? text ?? Number(number))}`,
  );
  if (!/^[()&|truefals ]+$/.test(combined)) throw new Error(`Not a pattern: ${pattern}`);
  return compileFunction(`return ${combined}`)();
}

const valueAt = (event: unknown, path: string) =>
  path.split('.').reduce<unknown>((parent, name) => Object(parent)[name], event);

function isMet(value: unknown, operator: string, operand: string | number): boolean {
  if (operand === '*') return value !== undefined;
  if (operator === '=') return value === operand;
  if (operator === '!=') return value !== operand;
  if (typeof value !== 'number' || typeof operand !== 'number') return false;
  return operator === '>' ? value > operand : value >= operand;
}
