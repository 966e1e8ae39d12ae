import * as v from 'valibot';

/** A stored instant, in seconds since 1970, as DynamoDB's time to live expects it. */
export const StoredInstant = v.pipe(v.bigint(), v.transform(Number));

/** Returns the current time as it is stored: in whole seconds since 1970. */
export const nowInSeconds = (): number => Math.floor(Date.now() / 1000);
