/** `source` is the text of a primitive value. */
type Reviver = (key: string, value: unknown, context: { source: string }) => unknown;

/** ES2026 additions to `JSON` that TypeScript's library lacks. */
interface SourceTextJson {
  parse(text: string, reviver: Reviver): unknown;
  rawJSON(text: string): unknown;
}

const json: SourceTextJson = JSON as JSON & SourceTextJson;

const numberPattern = /^(?<sign>-?)(?<whole>\d+)(?:\.(?<fraction>\d+))?(?:[eE](?<exponent>[+-]?\d+))?$/;

/** Any int64 has fewer digits: a larger integer stays inexact, and is out of range anyway. */
const maxDigits = 64;

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

const levels: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 };

/** Returns whether JSON text, even malformed, exceeds a nesting limit, before a parser could overflow. */
export function isNestedDeeperThan(limit: number, text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '"') isInString = !isInString;
    else if (!isInString) depth += levels[character] ?? 0;
    else if (character === '\\') index += 1;
    if (depth > limit) return true;
  }
  return false;
}

function exactInteger(source: string): bigint | undefined {
  const { sign = '', whole = '', fraction = '', exponent = '0' } = numberPattern.exec(source)?.groups ?? {};
  const digits = whole + fraction;
  const significant = digits.replaceAll(/^0+|(?<!0)0+$/g, '');
  if (significant === '') return 0n;

  const trailingZeros = digits.length - digits.lastIndexOf(significant) - significant.length;
  const zeros = Number(exponent) - fraction.length + trailingZeros;
  if (zeros < 0 || significant.length + zeros > maxDigits) return undefined;
  return BigInt(`${sign}${significant}${'0'.repeat(zeros)}`);
}
