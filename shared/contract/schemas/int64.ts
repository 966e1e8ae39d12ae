import * as v from 'valibot';

const int64Min = -(2n ** 63n);
const int64Max = 2n ** 63n - 1n;

/** Ids stay below 2^53, so that no client loses a digit. */
export const maxId = 2n ** 53n - 1n;

/** Returns a schema for an exact 64-bit signed integer, a bigint; anything else fails with `message`. */
export const int64 = (message: string) =>
  v.pipe(v.bigint(message), v.minValue(int64Min, message), v.maxValue(int64Max, message));

/** The range of an int64 in words, for messages. */
export const int64Range = `${int64Min} to ${int64Max}`;
