import type * as v from 'valibot';
import { record, whole } from './setting-schemas.ts';

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

/** Small parts of an operation's limit: a key that sends its minute's requests at once takes them from others. */
export const fairUse: FairUse = { perKey: 3000, perAddress: 6000 };
