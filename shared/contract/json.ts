/** ES2026 additions to `JSON` that TypeScript's library lacks; `source` is present for primitives. */
interface SourceTextJson {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source: string }) => unknown,
  ): unknown;
  rawJSON(text: string): unknown;
}

const json: SourceTextJson = JSON as JSON & SourceTextJson;

const numberPattern = /^(?<sign>-?)(?<whole>\d+)(?:\.(?<fraction>\d+))?(?:[eE](?<exponent>[+-]?\d+))?$/;

/** Any int64 has fewer digits: a larger integer stays inexact, and is out of range anyway. */
const maxDigits = 64;

/**
 * Parses JSON, with every number that is an integer as an exact bigint (`1.0` and `1e3` are integers too).
 * `JSON.parse` rounds integers past 2^53.
 *
 * @throws {SyntaxError} if `JSON.parse` does
 */
export function parseJson(text: string): unknown {
  return json.parse(text, (_key, value, { source }) =>
    typeof value === 'number' ? (exactInteger(source) ?? value) : value,
  );
}

/** Writes JSON, with every bigint as a number with all of its digits; `space` indents as in `JSON.stringify`. */
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
