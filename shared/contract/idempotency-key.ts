import * as v from 'valibot';

/** What an idempotency key may be, in words. */
export const idempotencyKeyRule = '1 to 255 visible ASCII characters';

const message = `Idempotency-Key must be given once, as ${idempotencyKeyRule}.`;

/** `"a\"b"` is the structured-field form of `a"b` (RFC 9651 §3.3.3); the bare form is taken as it is. */
function unquote(value: string): string {
  const quoted = /^"(?<text>(?:[^"\\]|\\["\\])*)"$/.exec(value)?.groups?.['text'];
  if (quoted !== undefined) return quoted.replaceAll(/\\(["\\])/g, '$1');
  return value.startsWith('"') ? '' : value;
}

/** The values of an `Idempotency-Key` header; its quoted and its bare form name the same key. */
export const IdempotencyKey = v.optional(
  v.pipe(
    v.strictTuple([v.string()], message),
    v.transform(([value]) => unquote(value)),
    v.regex(/^[!-~]{1,255}$/, message),
  ),
);
