/**
 * Returns a value without the property at a path, in each item of a list on the way; or the value itself if
 * it has no such property.
 */
export function without(value: unknown, [name = '', ...rest]: readonly string[]): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => without(item, [name, ...rest]));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (typeof value !== 'object' || value === null || !(name in value)) return value;

  const { [name]: property, ...others } = value as Record<string, unknown>;
  if (rest.length === 0) return others;
  const remaining = without(property, rest);
  return remaining === property ? value : { ...value, [name]: remaining };
}
