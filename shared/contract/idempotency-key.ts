import * as v from 'valibot';
import type { OptionalParameter, ResponseHeader } from './operation.ts';

/** The rule for an idempotency key, for messages. */
export const idempotencyKeyRule =
  '1 to 255 visible ASCII characters, and if the first is a quote, a string of RFC 9651 that is not empty';
const message = `must be given once, as ${idempotencyKeyRule}`;

/** An idempotency key as it is sent: bare, or quoted with `"` and `\` escaped by `\`. */
export const SentIdempotencyKey = v.pipe(
  v.string(),
  v.maxLength(255, message),
  v.regex(/^([!#-~][!-~]*|"([!#-[\]-~]|\\["\\])+")$/, message),
);

/** `"a\"b"` is the structured-field form of `a"b` (RFC 9651 §3.3.3). */
const unquote = (header: string) =>
  header.startsWith('"') ? header.slice(1, -1).replaceAll(/\\(["\\])/g, '$1') : header;

/** The header of every create, parsed to the key: its quoted and its bare form are equivalent. */
export const idempotencyKey = {
  'Idempotency-Key': {
    description: `Makes the create safe to repeat: ${idempotencyKeyRule}. It must be the same for every attempt, with the same body. The quoted and the bare form are equivalent.`,
    example: 'order-4712',
    schema: v.pipe(SentIdempotencyKey, v.transform(unquote)),
  },
} as const satisfies Record<string, OptionalParameter>;

/** The header of every create's response. */
export const idempotencyReplayed = {
  'Idempotency-Replayed': {
    description: 'Present if an earlier attempt at this request created what is returned.',
    schema: v.pipe(v.string(), v.value('true')),
    example: 'true',
  },
} as const satisfies Record<string, ResponseHeader>;
