/** `source` is the text of a primitive value. */
type Reviver = (key: string, value: unknown, context: { source: string }) => unknown;

/** ES2026 additions to `JSON` that TypeScript's library lacks. */
interface SourceTextJson {
  parse(text: string, reviver: Reviver): unknown;
  rawJSON(text: string): unknown;
}

const json: SourceTextJson = JSON as JSON & SourceTextJson;

/** Any int64 has fewer digits: one with a larger exponent stays inexact, and is out of range anyway. */
const maxShift = 100;

/**
 * Parses JSON, returning every integer as an exact bigint (`1.0` and `1e3` are integers too).
 * `JSON.parse` rounds integers past 2^53.
 *
 * @throws {SyntaxError} if `JSON.parse` does
 */
export function parseJson(text: string): unknown {
  return json.parse(text, (_key, value, { source }) =>
    typeof value === 'number' ? (exactInteger(source) ?? value) : value,
  );
}

/** Serializes to JSON, each bigint with all its digits; `space` indents as in `JSON.stringify`. */
export function stringifyJson(value: unknown, space?: number): string {
  return JSON.stringify(
    value,
    (_key, member: unknown) => (typeof member === 'bigint' ? json.rawJSON(member.toString()) : member),
    space,
  );
}

/** Returns the integer that a number's text stands for, or undefined if it is a fraction. */
function exactInteger(source: string): bigint | undefined {
  const [significand = '', exponent = '0'] = source.toLowerCase().split('e');
  const [whole = '', fraction = ''] = significand.split('.');
  const shift = Number(exponent) - fraction.length;
  if (Math.abs(shift) > maxShift) return undefined;

  const digits = BigInt(whole + fraction);
  const scale = 10n ** BigInt(Math.abs(shift));
  if (shift >= 0) return digits * scale;
  return digits % scale === 0n ? digits / scale : undefined;
}
