import {
  type CloudTrailClient,
  type Event,
  type LookupAttribute,
  paginateLookupEvents,
} from '@aws-sdk/client-cloudtrail';
import * as v from 'valibot';
import type { Clock } from './clients.ts';

/** Events of CloudTrail, the newest first. */
export interface Trail {
  readonly events: readonly Event[];
  /** All events since then are known, but for those that CloudTrail does not show yet. */
  readonly since: Date;
}

/**
 * What CloudTrail says of who called what.
 * https://docs.aws.amazon.com/awscloudtrail/latest/userguide/cloudtrail-event-reference-record-contents.html
 * https://docs.aws.amazon.com/awscloudtrail/latest/userguide/cloudtrail-event-reference-user-identity.html
 */
export const TrailEvent = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    eventType: v.optional(v.string()),
    errorCode: v.optional(v.string()),
    userIdentity: v.optional(
      v.object({
        type: v.optional(v.string()),
        invokedBy: v.optional(v.string()),
        sessionContext: v.optional(
          v.object({ sessionIssuer: v.optional(v.object({ userName: v.optional(v.string()) })) }),
        ),
      }),
      {},
    ),
    requestParameters: v.nullish(v.unknown()),
    responseElements: v.nullish(v.unknown()),
  }),
);
export type TrailEvent = v.InferOutput<typeof TrailEvent>;

/**
 * CloudTrail answers two calls per second and region, each with up to 50 events, the newest first.
 * https://docs.aws.amazon.com/awscloudtrail/latest/APIReference/API_LookupEvents.html
 */
const pauseMilliseconds = 1000;
const maxPages = 10;

/** How long CloudTrail may take. https://docs.aws.amazon.com/awscloudtrail/latest/userguide/how-cloudtrail-works.html */
export const trailMinutes = 15;

/** How long CloudTrail keeps events. https://docs.aws.amazon.com/awscloudtrail/latest/userguide/view-cloudtrail-events.html */
export const trailDays = 90;

/** Reads the newest events that have an attribute. */
export async function readTrail(
  client: CloudTrailClient,
  clock: Clock,
  attribute: LookupAttribute,
  StartTime: Date,
): Promise<Trail> {
  const events: Event[] = [];
  let pages = 0;
  for await (const page of paginateLookupEvents({ client }, { StartTime, LookupAttributes: [attribute] })) {
    events.push(...(page.Events ?? []));
    pages += 1;
    if (page.NextToken === undefined) break;
    if (pages === maxPages) return { events, since: events.at(-1)?.EventTime ?? clock.now() };
    await clock.pause(pauseMilliseconds);
  }
  return { events, since: StartTime };
}
