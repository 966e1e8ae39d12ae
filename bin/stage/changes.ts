import {
  type CloudTrailClient,
  type Event,
  type LookupAttributeKey,
  paginateLookupEvents,
} from '@aws-sdk/client-cloudtrail';
import * as v from 'valibot';
import { stackName } from '../../infra/stack-names.ts';
import type { Clients } from './aws/clients.ts';
import type { Release } from './aws/releases.ts';
import { command } from './command.ts';
import { formatTime, type Step, step } from './report.ts';

/** A release or a change by hand, and what to do if it is to blame. */
export interface Change {
  readonly at: Date;
  readonly isRelease: boolean;
  readonly text: string;
  readonly next: Step;
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
    eventType: v.optional(v.string(), ''),
    errorCode: v.optional(v.string()),
    userIdentity: v.optional(
      v.object({
        type: v.optional(v.string(), ''),
        invokedBy: v.optional(v.string()),
        sessionContext: v.optional(
          v.object({ sessionIssuer: v.optional(v.object({ userName: v.optional(v.string(), '') })) }),
        ),
      }),
      {},
    ),
    requestParameters: v.nullish(v.unknown()),
  }),
);

/** Whether a service of AWS called, such as CloudFormation, or a role of the stack, such as in a cold start. */
function isOfStage({ eventType, userIdentity }: v.InferOutput<typeof TrailEvent>, roles: readonly string[]) {
  const { type, invokedBy, sessionContext } = userIdentity;
  const role = sessionContext?.sessionIssuer?.userName ?? '';
  return (
    eventType === 'AwsServiceEvent' ||
    type === 'AWSService' ||
    invokedBy !== undefined ||
    roles.includes(role)
  );
}

/** CloudTrail answers two calls per second, each with up to 50 events. */
const maxPages = 6;

/** Reads what people changed of what has one of these names. */
export async function readChangesByHand(
  { cloudTrail, iamTrail }: Clients,
  stage: string,
  names: readonly string[],
  roles: readonly string[],
  StartTime: Date,
) {
  let isComplete = true;
  const lookUp = async (
    client: CloudTrailClient,
    AttributeKey: LookupAttributeKey,
    AttributeValue: string,
  ) => {
    const LookupAttributes = [{ AttributeKey, AttributeValue }];
    const found: Event[] = [];
    let pages = 0;
    for await (const { Events = [] } of paginateLookupEvents({ client }, { StartTime, LookupAttributes })) {
      found.push(...Events);
      pages += 1;
      if (pages === maxPages) {
        isComplete = false;
        break;
      }
    }
    return found;
  };
  const events = [
    ...(await lookUp(cloudTrail, 'ReadOnly', 'false')),
    ...(await lookUp(iamTrail, 'ReadOnly', 'false')),
  ];
  // In us-east-1, both have those of IAM.
  const different = new Map(events.map((event) => [event.EventId, event]));
  const changes = [...different.values()].flatMap((event): readonly Change[] => {
    const { EventName = '', EventTime: at, Username = 'somebody' } = event;
    const { success, output } = v.safeParse(TrailEvent, event.CloudTrailEvent);
    if (!success || !at || output.errorCode || isOfStage(output, roles)) return [];
    const texts = JSON.stringify(output.requestParameters ?? '').match(/"(?:[^"\\]|\\.)*"?/g) ?? [];
    const on = texts.find((text) => names.some((name) => text.includes(name)))?.slice(1, -1);
    if (on === undefined) return [];
    const next = step(
      'on-call',
      'let an administrator undo it, which no deploy does',
      command`npx cdk drift ${stackName(stage)}`,
    );
    return [{ at, isRelease: false, text: `${Username} called ${EventName} on ${on}`, next }];
  });
  return { changes, isComplete };
}

/** Returns the releases that may be to blame for something. */
export function changesByRelease(stage: string, releases: readonly Release[]): readonly Change[] {
  return releases.flatMap(({ commit, at }, index) => {
    const older = releases.slice(index + 1).map((release) => release.commit);
    // A, B, A: the stage went back to A, which is not to blame.
    if (older.includes(commit)) return [];
    const isLeft = older.includes(releases[0]?.commit ?? '');
    const text = `the release of ${commit.slice(0, 12)} at ${formatTime(at)}${isLeft ? ', since left' : ''}`;
    return [
      {
        at,
        isRelease: true,
        text,
        next: step('on-call', 'go back', command`npm run stage -- rollback ${stage}`),
      },
    ];
  });
}
