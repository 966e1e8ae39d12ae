import type { CloudTrailClient, Event } from '@aws-sdk/client-cloudtrail';
import * as v from 'valibot';
import { type AliasMove, aliasMoveOf } from '../aws/alias-moves.ts';
import { functionNames } from '../aws/aliases.ts';
import type { Clock } from '../aws/clients.ts';
import type { Stack } from '../aws/stack.ts';
import { readTrail, TrailEvent } from '../aws/trail.ts';

/** What somebody changed. */
interface Change {
  readonly at: Date;
  /** Who called what on what. */
  readonly text: string;
}

interface Changes {
  readonly changes: readonly Change[];
  /** By whomever, also by a release. */
  readonly moves: readonly AliasMove[];
  /** All are known since then, but for those that CloudTrail does not show yet. */
  readonly since: Date;
}

/** IAM is global: its events are in us-east-1, whose trail may be denied. */
const iam = 'iam.amazonaws.com';

/** What a release calls through. */
const releasing = ['cloudformation.amazonaws.com', 'codedeploy.amazonaws.com'];

/** Sets which role writes the access logs of all APIs of the account and region. */
const ofAccount = 'UpdateAccount';

/** Reads what somebody changed of a stage, but no release and no role of the stage, and all moves of its aliases. */
export async function readChanges(
  client: CloudTrailClient,
  clock: Clock,
  stack: Stack,
  isOfIam: boolean,
  from: Date,
): Promise<Changes> {
  // Who only reads uses up no page.
  const attribute = { AttributeKey: 'ReadOnly' as const, AttributeValue: 'false' };
  const { events, since } = await readTrail(client, clock, attribute, from);
  const own = events.filter(({ EventSource }) => (EventSource === iam) === isOfIam);
  const movesOf = (event: Event) => aliasMoveOf(event, functionNames(stack));
  return {
    changes: own.filter((event) => movesOf(event).length === 0).flatMap((event) => changeOf(event, stack)),
    moves: own.flatMap(movesOf),
    since,
  };
}

function changeOf(
  { EventName, EventTime: at, Username, CloudTrailEvent }: Event,
  stack: Stack,
): readonly Change[] {
  if (!at) return [];
  const { errorCode, userIdentity, requestParameters } = v.parse(TrailEvent, CloudTrailEvent);
  const { invokedBy, type, sessionContext } = userIdentity;
  const role = sessionContext?.sessionIssuer?.userName;
  const isOfRelease = invokedBy !== undefined && releasing.includes(invokedBy);
  const isOfStage = role !== undefined && stack.idsOf('AWS::IAM::Role').includes(role);
  if (errorCode !== undefined || isOfRelease || isOfStage) return [];
  const names = namesOf(stack);
  const on = textsIn(requestParameters).find((text) => names.some((name) => text.includes(name)));
  if (on === undefined && EventName !== ofAccount) return [];
  const by = [role && `role ${role}`, invokedBy && `through ${invokedBy}`].filter(Boolean).join(', ');
  const who = `${Username ?? type ?? 'somebody'}${by && ` (${by})`}`;
  return [{ at, text: `${who} called ${EventName} on ${on ?? 'the account'}` }];
}

/** Names that AWS generates lack the stack's. Short ones, such as v1, would be found in anything. */
const namesOf = ({ name, ids }: Stack): readonly string[] => [
  `${name}-`,
  `/${name}/`,
  ...ids.flatMap((id) => (id.startsWith('arn:') ? [id] : id.split('|'))).filter((id) => id.length > 9),
];

const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'string' ? [value] : Object.values(Object(value)).flatMap(textsIn);
