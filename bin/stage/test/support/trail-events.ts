import type { Event as TrailEvent } from '@aws-sdk/client-cloudtrail';
import { liveAlias } from '../../../../infra/stack-names.ts';
import { account } from '../../../local-api/template/account.ts';
import { minutesAgo } from './stage-names.ts';

/** Who calls AWS: https://docs.aws.amazon.com/awscloudtrail/latest/userguide/cloudtrail-event-reference-user-identity.html */
export const callers = {
  /** Somebody who has assumed a role, from a laptop. */
  person: (name: string, role = 'AWSReservedSSO_Admin_0a1b') => ({
    Username: name,
    sourceIPAddress: '192.0.2.1',
    userAgent: 'aws-cli/2.31.0',
    userIdentity: assumed(role, name),
  }),
  /** A function, such as in each cold start: from a public address of AWS. */
  role: (role: string, session: string) => ({
    Username: session,
    sourceIPAddress: '198.51.100.7',
    userAgent: 'awslambda-worker/1.0.0 rusoto/0.48.0 rust/1.84.0 linux',
    userIdentity: assumed(role, session),
  }),
  /** A service with somebody's permissions, such as CloudFormation with those of the CDK's role. */
  service: (service: string, role: string) => ({
    Username: 'AWSCloudFormation',
    sourceIPAddress: service,
    userAgent: service,
    userIdentity: { ...assumed(role, 'AWSCloudFormation'), invokedBy: service },
  }),
  /** A service by itself. */
  aws: (service: string) => ({
    sourceIPAddress: service,
    userAgent: service,
    userIdentity: { type: 'AWSService', invokedBy: service },
  }),
};

const assumed = (role: string, session: string) => ({
  type: 'AssumedRole',
  principalId: `AROA1A2B:${session}`,
  arn: `arn:aws:sts::${account.id}:assumed-role/${role}/${session}`,
  accountId: account.id,
  sessionContext: {
    sessionIssuer: {
      type: 'Role',
      principalId: 'AROA1A2B',
      arn: `arn:aws:iam::${account.id}:role/${role}`,
      accountId: account.id,
      userName: role,
    },
  },
});

export type Caller = ReturnType<(typeof callers)[keyof typeof callers]>;

interface Called {
  readonly minutes: number;
  readonly source: string;
  readonly name: string;
  readonly parameters: object;
  readonly answer?: object;
  readonly caller?: Caller;
  readonly eventType?: string;
  readonly errorCode?: string;
}

/** Returns an event as CloudTrail records it. */
export function trailEvent({ minutes, source, name, parameters, ...called }: Called): TrailEvent {
  const { caller = callers.person('alice'), eventType = 'AwsApiCall', errorCode, answer } = called;
  const { Username, ...who } = { Username: undefined, ...caller };
  const EventId = `${name}-${minutes}-${JSON.stringify(parameters)}`;
  return {
    EventId,
    EventName: name,
    EventSource: source,
    EventTime: minutesAgo(minutes),
    ReadOnly: 'false',
    Username,
    CloudTrailEvent: JSON.stringify({
      eventVersion: '1.11',
      eventTime: minutesAgo(minutes).toISOString(),
      eventSource: source,
      eventName: name,
      eventType,
      readOnly: false,
      managementEvent: true,
      eventID: EventId,
      ...who,
      requestParameters: parameters,
      responseElements: answer ?? null,
      ...(errorCode !== undefined && { errorCode }),
    }),
  };
}

interface Moved extends Pick<Called, 'caller' | 'errorCode'> {
  readonly name?: string;
  readonly weights?: Readonly<Record<string, number>>;
  /** What the call said; without it, all. */
  readonly requested?: object;
}

/** Returns the event of a call that pointed an alias to a version. */
export function aliasMoved(
  minutes: number,
  functionName: string,
  version: number,
  { name = liveAlias, weights = {}, requested, ...called }: Moved = {},
): TrailEvent {
  const pointed = {
    functionVersion: `${version}`,
    routingConfig: { additionalVersionWeights: weights },
  };
  return trailEvent({
    minutes,
    source: 'lambda.amazonaws.com',
    name: 'UpdateAlias20150331',
    parameters: { functionName, name, ...(requested ?? pointed) },
    ...(called.errorCode === undefined && {
      answer: { aliasArn: `${functionName}:${name}`, name, description: '', ...pointed },
    }),
    ...called,
  });
}
