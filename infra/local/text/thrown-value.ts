/** More than a message needs. */
const maxLength = 300;

/**
 * Returns what to log of a thrown value that is not an error: the text of a primitive, but only the class and the
 * names of the fields of an object, which may be what a client sent.
 */
export function thrownValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value).slice(0, maxLength);
  const type = value.constructor?.name ?? 'Object';
  const fields = Object.keys(value).join(', ') || 'none';
  return `an object of the class ${type} with the fields: ${fields}`.slice(0, maxLength);
}
