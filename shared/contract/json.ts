import * as v from 'valibot';

/** An ES2026 addition to `JSON` that TypeScript's library lacks. */
const json = JSON as JSON & { rawJSON(text: string): unknown };

/** Any int64 has fewer digits: a longer number stays inexact, and is out of range anyway. */
const maxDigits = 128;

/**
 * Parses JSON, returning every integer as an exact bigint (`1.0` and `1e3` are integers too).
 * `JSON.parse` rounds integers past 2^53.
 *
 * @throws {SyntaxError} if `JSON.parse` does
 */
export function parseJson(text: string): unknown {
  return JSON.parse(text, reviveInteger);
}

/**
 * Returns a schema for JSON text with exact integers.
 *
 * @internal
 */
export const jsonText = <T>(schema: v.GenericSchema<unknown, T>): v.GenericSchema<unknown, T> =>
  v.pipe(v.string(), v.parseJson({ reviver: reviveInteger }), schema);

type Reviver = (key: string, value: unknown) => unknown;

// TypeScript's library lacks the third argument of a reviver, which has the text of a primitive value.
/** Lets `JSON.parse` return every integer as an exact bigint. */
export const reviveInteger: Reviver = ((_key: string, value: unknown, { source }: { source: string }) =>
  typeof value === 'number' ? (exactInteger(source) ?? value) : value) as Reviver;

/** Lets `JSON.stringify` write each bigint as an integer with all its digits, where it would throw. */
export function replaceBigint(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? json.rawJSON(value.toString()) : value;
}

/** Serializes to JSON, each bigint with all its digits; `space` indents as in `JSON.stringify`. */
export function stringifyJson(value: unknown, space?: number): string {
  return JSON.stringify(value, replaceBigint, space);
}

/** Returns the integer that a number's text stands for, or undefined if it is a fraction. */
function exactInteger(source: string): bigint | undefined {
  const [significand = '', exponent = '0'] = source.toLowerCase().split('e');
  const [whole = '', fraction = ''] = significand.split('.');
  const shift = Number(exponent) - fraction.length;
  const length = whole.length + fraction.length;
  if (length + Math.max(shift, 0) > maxDigits || shift < -maxDigits) return undefined;

  const digits = BigInt(whole + fraction);
  const scale = 10n ** BigInt(Math.abs(shift));
  if (shift >= 0) return digits * scale;
  return digits % scale === 0n ? digits / scale : undefined;
}
