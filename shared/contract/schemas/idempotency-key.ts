import * as v from 'valibot';

/** The rule for an idempotency key, for messages. */
export const idempotencyKeyRule = '1 to 255 visible ASCII characters';

/** Matches an `Idempotency-Key` header: a bare key, or a quoted one with `"` and `\` escaped by `\`. */
export const idempotencyKeyPattern = String.raw`^([!#-~][!-~]{0,254}|"([!#-\[\]-~]|\\["\\]){1,255}")$`;

const message = `Idempotency-Key must be given once, as ${idempotencyKeyRule}.`;

/** `"a\"b"` is the structured-field form of `a"b` (RFC 9651 §3.3.3). */
const unquote = (header: string) =>
  header.startsWith('"') ? header.slice(1, -1).replaceAll(/\\(["\\])/g, '$1') : header;

/** The values of an `Idempotency-Key` header, as one key; the quoted and the bare form are equivalent. */
export const IdempotencyKey = v.optional(
  v.pipe(
    v.strictTuple([v.pipe(v.string(), v.regex(new RegExp(idempotencyKeyPattern), message))], message),
    v.transform(([header]) => unquote(header)),
  ),
);
