import type { CloudTrailClient, Event } from '@aws-sdk/client-cloudtrail';
import * as v from 'valibot';
import type { Clock } from '../aws/clients.ts';
import { readTrail, TrailEvent } from '../aws/trail.ts';

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
  const attribute = { AttributeKey: 'ReadOnly' as const, AttributeValue: 'false' };
  const { events, since } = await readTrail(client, clock, attribute, StartTime);
  return {
    changes: events
      .filter(({ EventSource }) => (EventSource === iam) === isOfIam)
      .flatMap((event) => changeOf(event, names, roles)),
    since,
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
