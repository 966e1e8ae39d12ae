/** What `JSON` gained in ES2026 and TypeScript's library does not declare yet; `source` is there for numbers. */
interface SourceTextJson {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source: string }) => unknown,
  ): unknown;
  rawJSON(text: string): unknown;
}

const json: SourceTextJson = JSON as JSON & SourceTextJson;

const numberPattern = /^(?<sign>-?)(?<whole>\d+)(?:\.(?<fraction>\d+))?(?:[eE](?<exponent>[+-]?\d+))?$/;

/** Any int64 has fewer digits: a larger integer is left inexact, and out of range. */
const maxDigits = 64;

/**
 * Parses JSON, giving each number that is an integer as an exact bigint (`1.0` and `1e3` are integers too).
 * `JSON.parse` alone rounds integers past 2^53.
 *
 * @throws {SyntaxError} where `JSON.parse` does
 */
export function parseJson(text: string): unknown {
  return json.parse(text, (_key, value, { source }) =>
    typeof value === 'number' ? (exactInteger(source) ?? value) : value,
  );
}

/** Writes JSON, each bigint as a number with all of its digits; `space` indents as in `JSON.stringify`. */
export function stringifyJson(value: unknown, space?: number): string {
  return JSON.stringify(
    value,
    (_key, member: unknown) => (typeof member === 'bigint' ? json.rawJSON(member.toString()) : member),
    space,
  );
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
