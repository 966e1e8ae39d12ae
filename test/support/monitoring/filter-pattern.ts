/** A condition of a filter pattern, such as `$.status >= 500`. */
const conditionPattern = /^\$\.([\w.]+) (=|!=|>|>=) (?:"([^"]*)"|(\d+)|(\*))$/;

/**
 * Whether a line of JSON matches a filter pattern, as CloudWatch Logs has it: `{ … }` with conditions that `&&` or `||`
 * joins. By size only numbers are compared.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
 */
export function matchesPattern(pattern: string, line: string): boolean {
  const inner = /^\{ (.*) \}$/.exec(pattern)?.[1];
  if (inner === undefined) throw new Error(`Not a pattern for JSON: ${pattern}`);
  const event: unknown = JSON.parse(line);
  return inner
    .split(' || ')
    .some((terms) => terms.split(' && ').every((term) => isMet(term.replace(/^\((.*)\)$/, '$1'), event)));
}

function isMet(condition: string, event: unknown): boolean {
  const [, path, operator, text, number, any] = conditionPattern.exec(condition) ?? [];
  if (path === undefined) throw new Error(`Not a condition: ${condition}`);
  const value = path.split('.').reduce<unknown>((parent, name) => Object(parent)[name], event);
  if (any !== undefined) return value !== undefined;
  const limit = text ?? Number(number);
  if (operator === '=') return value === limit;
  if (operator === '!=') return value !== limit;
  if (typeof value !== 'number') return false;
  return operator === '>' ? value > Number(limit) : value >= Number(limit);
}
