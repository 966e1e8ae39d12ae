import type { OperationId } from '../../../shared/contract/operations.ts';

/** Requests of one kind, as the access log records them. */
export interface Traffic {
  readonly perMinute: number;
  readonly status: number;
  /** Undefined: a path that no operation has. */
  readonly operation?: OperationId;
  readonly responseType?: string;
  readonly latency?: number;
}

export interface Incident {
  readonly name: string;
  /** Traffic while it lasts; by default 1,000 healthy requests per minute. */
  readonly traffic?: readonly Traffic[];
  /** AWS's own metrics while it lasts, per minute. */
  readonly metrics?: Readonly<Record<string, number>>;
  /** In minutes; by default 20. */
  readonly lasts?: number;
  /** Whether it also makes sense at two requests per minute. */
  readonly isAlsoQuiet?: boolean;
  /** An EventBridge event, in place of metrics. */
  readonly event?: object;
}

const calls = (perMinute: number, operation: OperationId, status: number): Traffic => ({
  perMinute,
  operation,
  status,
});

export const healthy = [calls(600, 'listPets', 200), calls(250, 'createPet', 201), calls(150, 'getPet', 200)];

/** Returns traffic of which a share gets another response. */
const mixed = (share: number, failing: Omit<Traffic, 'operation' | 'perMinute'>): readonly Traffic[] =>
  healthy.flatMap(({ perMinute, ...kind }) => [
    { ...kind, perMinute: perMinute * (1 - share) },
    { ...kind, ...failing, perMinute: perMinute * share },
  ]);

const errors = { status: 500 };
const slow = { status: 200, latency: 1500 };
const noKey = { status: 401, responseType: 'ACCESS_DENIED' };
const throttled = { status: 429, responseType: 'THROTTLED' };
const tenPerSecond = mixed(0.1, errors).map((kind) => ({ ...kind, perMinute: 0.6 * kind.perMinute }));

const deploymentEvent = (state: string) => ({
  source: 'aws.codedeploy',
  'detail-type': 'CodeDeploy Deployment State-change Notification',
  detail: { application: 'ReleasesApplication', state },
});
const stackEvent = (status: string) => ({
  source: 'aws.cloudformation',
  'detail-type': 'CloudFormation Stack Status Change',
  detail: { 'stack-id': 'StackId', 'status-details': { status } },
});

/** The simulated incidents: docs/runbook.md shows the same table. */
export const incidents: readonly Incident[] = [
  { name: 'Every request is a 401', traffic: mixed(1, noKey), isAlsoQuiet: true },
  { name: 'Six of ten requests are a 401', traffic: mixed(0.6, noKey) },
  { name: 'Every request is a 429', traffic: mixed(1, throttled), isAlsoQuiet: true },
  { name: 'Six of ten requests are a 429', traffic: mixed(0.6, throttled) },
  { name: 'Every request is a 400 after a release', traffic: mixed(1, { status: 400 }), isAlsoQuiet: true },
  { name: 'Every request is a 404 after a release', traffic: mixed(1, { status: 404 }), isAlsoQuiet: true },
  {
    name: 'No requests: DNS, certificate or regional endpoint is down',
    traffic: [],
    lasts: 30,
    isAlsoQuiet: true,
  },
  { name: 'The access log stays empty', metrics: { IncomingLogEvents: 0 }, isAlsoQuiet: true },
  {
    name: 'One operation with 2% of the traffic fails completely',
    traffic: [calls(980, 'listPets', 200), calls(20, 'getPet', 500)],
  },
  { name: "The domain's certificate expires in 29 days", metrics: { DaysToExpiry: 29 } },
  { name: 'A deployment fails', event: deploymentEvent('FAILURE') },
  { name: 'CloudFormation rolls the stack back', event: stackEvent('UPDATE_ROLLBACK_COMPLETE') },
  { name: 'The stack is stuck in UPDATE_ROLLBACK_FAILED', event: stackEvent('UPDATE_ROLLBACK_FAILED') },
  { name: 'Every request fails', traffic: mixed(1, errors), isAlsoQuiet: true, lasts: 40 },
  { name: 'Every request of one minute fails', traffic: mixed(1, errors), lasts: 1 },
  { name: '0.8% of requests fail for six hours', traffic: mixed(0.008, errors), lasts: 360 },
  { name: '0.1% of requests fail, as the objective allows', traffic: mixed(0.001, errors), lasts: 360 },
  { name: 'A fifth of responses are slow for an hour', traffic: mixed(0.2, slow), lasts: 60 },
  { name: '7% of responses are slow for six hours', traffic: mixed(0.07, slow), lasts: 360 },
  {
    name: 'Every getPet is a 410 from December 2030',
    traffic: [calls(850, 'listPets', 200), calls(150, 'getPet', 410)],
    lasts: 60,
  },
  {
    name: 'The authorizer fails for a tenth of the requests',
    traffic: mixed(0.1, { status: 503, responseType: 'AUTHORIZER_CONFIGURATION_ERROR' }),
  },
  { name: 'A third of requests have an invalid key', traffic: mixed(1 / 3, noKey) },
  { name: 'A tenth of requests are throttled', traffic: mixed(0.1, throttled) },
  { name: 'A function is throttled', metrics: { 'Throttles of GetPetFunction': 3 } },
  { name: '850 of 1,000 concurrent executions are in use', metrics: { ClaimedAccountConcurrency: 850 } },
  { name: 'Writes to the index are throttled', metrics: { WriteThrottleEvents: 4 } },
  { name: 'DynamoDB fails', metrics: { SystemErrors: 4 } },
  { name: 'A stored pet is damaged', metrics: { DamagedPets: 1 } },
  {
    name: 'Requests fail behind a flood to unknown paths',
    traffic: [
      ...tenPerSecond,
      { perMinute: 2400, status: 404, responseType: 'MISSING_AUTHENTICATION_TOKEN' },
      // API Gateway treats a bearer token on an unknown path as an IAM signature.
      { perMinute: 1500, status: 404, responseType: 'INVALID_SIGNATURE' },
    ],
    lasts: 60,
  },
  {
    name: 'Requests fail behind a flood without keys',
    traffic: [...tenPerSecond, { perMinute: 9000, operation: 'listPets', ...noKey }],
  },
  {
    name: 'A canary fails every request',
    traffic: mixed(0.1, errors),
    metrics: { 'Invocations of GetPetFunction': 15, FaultsOfGetPet: 15 },
    lasts: 15,
  },
  {
    name: 'A canary fails every request of an operation with 2% of the traffic',
    traffic: [calls(980, 'listPets', 200), calls(18, 'getPet', 200), calls(2, 'getPet', 500)],
    metrics: { 'Invocations of GetPetFunction': 2, FaultsOfGetPet: 2 },
    lasts: 15,
  },
  {
    name: 'A canary is slow',
    metrics: { 'Invocations of ListPetsFunction': 60, 'Duration of ListPetsFunction': 1500 },
    lasts: 15,
  },
  { name: 'A quarter of an hour in a healthy stage', traffic: healthy, isAlsoQuiet: true },
];
