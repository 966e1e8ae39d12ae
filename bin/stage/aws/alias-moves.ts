import type { Event } from '@aws-sdk/client-cloudtrail';
import * as v from 'valibot';
import { liveAlias } from '../../../infra/stack-names.ts';
import { functionNames, type Version } from './aliases.ts';
import type { Clients } from './clients.ts';
import type { Stack } from './stack.ts';
import { readTrail, TrailEvent, trailDays } from './trail.ts';

/** What somebody pointed an alias to. */
export interface AliasMove extends Version {
  readonly at: Date;
  readonly who: string;
  /** The service that called for them, such as codedeploy.amazonaws.com. */
  readonly by: string | undefined;
  /** Further versions, with their shares of the requests. */
  readonly shares: Readonly<Record<string, number>>;
}

export interface AliasMoves {
  /** The newest first. */
  readonly moves: readonly AliasMove[];
  /** All moves since then are known, but for those that CloudTrail does not show yet. */
  readonly since: Date;
}

/**
 * How CloudTrail names a call of UpdateAlias.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/events/EventTypes.html
 */
const eventName = 'UpdateAlias20150331';

const Requested = v.object({ functionName: v.string(), name: v.string() });

/** What the alias points to: a call may say only a part of it, its answer says all. https://docs.aws.amazon.com/lambda/latest/api/API_UpdateAlias.html */
const Pointed = v.object({
  functionVersion: v.string(),
  routingConfig: v.nullish(
    v.object({ additionalVersionWeights: v.nullish(v.record(v.string(), v.number()), {}) }),
  ),
});

/** Reads who pointed the aliases of a stage to what, from an instant on, or for as long as CloudTrail knows. */
export async function readAliasMoves(
  { cloudTrail, clock }: Clients,
  stack: Pick<Stack, 'idsOf'>,
  from: Date,
): Promise<AliasMoves> {
  const kept = new Date(clock.now().getTime() - trailDays * 24 * 60 * 60_000);
  const start = from < kept ? kept : from;
  const attribute = { AttributeKey: 'EventName' as const, AttributeValue: eventName };
  const { events, since } = await readTrail(cloudTrail, clock, attribute, start);
  const names = functionNames(stack);
  return { moves: events.flatMap((event) => aliasMoveOf(event, names)), since };
}

/** Returns what an event did to the alias of one of some functions. */
export function aliasMoveOf(event: Event, names: readonly string[]): readonly AliasMove[] {
  const { EventName, EventTime: at, Username, CloudTrailEvent } = event;
  if (EventName !== eventName || !at) return [];
  const { errorCode, userIdentity, ...called } = v.parse(TrailEvent, CloudTrailEvent);
  const requested = v.safeParse(Requested, called.requestParameters);
  if (errorCode !== undefined || !requested.success || requested.output.name !== liveAlias) return [];
  // A name, or an ARN that ends in it: ‥:function:<name>
  const functionName = requested.output.functionName.replace(/^.*:/, '');
  if (!names.includes(functionName)) return [];
  const answered = v.safeParse(Pointed, called.responseElements);
  const { functionVersion: version, routingConfig } = answered.success
    ? answered.output
    : v.parse(Pointed, called.requestParameters);
  const shares = routingConfig?.additionalVersionWeights ?? {};
  const by = userIdentity.invokedBy;
  return [{ at, who: Username ?? by ?? 'somebody', by, functionName, version, shares }];
}
