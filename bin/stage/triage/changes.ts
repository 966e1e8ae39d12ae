import { type CloudTrailClient, type Event, paginateLookupEvents } from '@aws-sdk/client-cloudtrail';
import * as v from 'valibot';
import type { Clock } from '../aws/clients.ts';

/** What somebody changed. Whether it is to blame for anything, nothing here says. */
export interface Change {
  readonly at: Date;
  /** Who called what. */
  readonly text: string;
  /** The name of what was changed, or its ARN. */
  readonly on: string;
}

export interface Changes {
  readonly changes: readonly Change[];
  /** All changes since then are known, but for those that CloudTrail does not show yet. */
  readonly since: Date;
}

/**
 * What CloudTrail says of who called what.
 * https://docs.aws.amazon.com/awscloudtrail/latest/userguide/cloudtrail-event-reference-record-contents.html
 * https://docs.aws.amazon.com/awscloudtrail/latest/userguide/cloudtrail-event-reference-user-identity.html
 */
const TrailEvent = v.pipe(
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
  }),
);
type TrailEvent = v.InferOutput<typeof TrailEvent>;

/**
 * CloudTrail answers two calls per second and region, each with up to 50 events, the newest first. In us-east-1, both
 * halves share them.
 * https://docs.aws.amazon.com/awscloudtrail/latest/APIReference/API_LookupEvents.html
 */
const pauseMilliseconds = 1000;
const maxPages = 10;

/** How long CloudTrail may take. https://docs.aws.amazon.com/awscloudtrail/latest/userguide/how-cloudtrail-works.html */
export const trailMinutes = 15;

/** IAM is global: its events are in us-east-1, whose trail may be denied. */
const iam = 'iam.amazonaws.com';

interface Stage {
  /** What the names of the stage's resources have in common. */
  readonly names: readonly string[];
  /** The stage's own roles. */
  readonly roles: readonly string[];
  /** Whether to read the changes of IAM, and only those. */
  readonly isOfIam: boolean;
}

/** Reads what somebody changed of a stage: a person or a program, but no service of AWS and no role of the stage. */
export async function readChanges(
  client: CloudTrailClient,
  clock: Clock,
  { names, roles, isOfIam }: Stage,
  StartTime: Date,
): Promise<Changes> {
  // Who only reads uses up no page.
  const LookupAttributes = [{ AttributeKey: 'ReadOnly' as const, AttributeValue: 'false' }];
  const events: Event[] = [];
  let pages = 0;
  const input = { StartTime, LookupAttributes };
  for await (const { Events = [], NextToken } of paginateLookupEvents({ client }, input)) {
    events.push(...Events);
    pages += 1;
    if (pages === maxPages) break;
    if (NextToken !== undefined) await clock.pause(pauseMilliseconds);
  }
  const oldest = events.at(-1)?.EventTime;
  return {
    changes: events
      .filter(({ EventSource }) => (EventSource === iam) === isOfIam)
      .flatMap((event) => changeOf(event, names, roles)),
    since: pages === maxPages && oldest ? oldest : StartTime,
  };
}

function changeOf(event: Event, names: readonly string[], roles: readonly string[]): readonly Change[] {
  const { EventName: name, EventTime: at, Username: who = 'somebody' } = event;
  if (!at) return [];
  const called = v.parse(TrailEvent, event.CloudTrailEvent);
  if (called.errorCode !== undefined || isOfStage(called, roles)) return [];
  const on = textsIn(called.requestParameters).find((text) => names.some((own) => text.includes(own)));
  return on === undefined ? [] : [{ at, text: `${who} called ${name}`, on }];
}

const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'string' ? [value] : Object.values(Object(value)).flatMap(textsIn);

/** Whether a service of AWS called, such as CloudFormation, or a role of the stage, such as in a cold start. */
function isOfStage({ eventType, userIdentity }: TrailEvent, roles: readonly string[]): boolean {
  const { type, invokedBy, sessionContext } = userIdentity;
  const role = sessionContext?.sessionIssuer?.userName ?? '';
  return (
    eventType === 'AwsServiceEvent' ||
    type === 'AWSService' ||
    // The console calls for the person who is signed in to it.
    (invokedBy !== undefined && invokedBy !== 'signin.amazonaws.com') ||
    roles.includes(role)
  );
}
