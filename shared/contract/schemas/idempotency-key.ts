import * as v from 'valibot';

/** What an idempotency key may be, in words. */
export const idempotencyKeyRule = '1 to 255 visible ASCII characters';

/** A pattern of an `Idempotency-Key` header: a key as it is, or in quotes, where a quote and a backslash have a backslash before them. */
export const idempotencyKeyPattern = String.raw`^([!#-~][!-~]{0,254}|"([!#-\[\]-~]|\\["\\]){1,255}")$`;

const message = `Idempotency-Key must be given once, as ${idempotencyKeyRule}.`;

/** `"a\"b"` is the structured-field form of `a"b` (RFC 9651 §3.3.3). */
const unquote = (header: string) =>
  header.startsWith('"') ? header.slice(1, -1).replaceAll(/\\(["\\])/g, '$1') : header;

/** The values of an `Idempotency-Key` header, as one key; its quoted and its bare form name the same one. */
export const IdempotencyKey = v.optional(
  v.pipe(
    v.strictTuple([v.pipe(v.string(), v.regex(new RegExp(idempotencyKeyPattern), message))], message),
    v.transform(([header]) => unquote(header)),
  ),
);
