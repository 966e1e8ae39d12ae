import type * as v from 'valibot';
import { record, whole } from './forms.ts';

/**
 * The least that AWS WAF can count.
 * https://docs.aws.amazon.com/waf/latest/developerguide/waf-rule-statement-type-rate-based-high-level-settings.html
 */
const requestsPerMinute = whole({ min: 10, max: 1_000_000 });

/** How many requests per minute a client may send to all operations combined. */
export const FairUse = record({
  perKey: requestsPerMinute,
  /** Clients may share an IP address. */
  perAddress: requestsPerMinute,
});
export type FairUse = v.InferOutput<typeof FairUse>;

/**
 * A key may use an eighth of an operation's limit, and an address, which clients may share, a quarter. With a
 * larger share, a key that sends all requests of its minute at once takes more from others.
 */
export const fairUse: FairUse = { perKey: 3000, perAddress: 6000 };
