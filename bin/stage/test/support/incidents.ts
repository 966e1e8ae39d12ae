import { errorTable } from '../../../../shared/contract/error-table.ts';
import { namesOf } from '../../../../shared/tables/table.ts';
import { list, table } from '../../../../test/support/contract/own-operations.ts';
import { failure, type World } from './fake-stage.ts';
import { apiKeys, functionName, List, minutesAgo, ownTable, roleOf } from './stage-names.ts';
import { lines, requests } from './traffic.ts';
import { trailEvent } from './trail-events.ts';

export const since = (minutes: number) => ({ first: minutesAgo(minutes).getTime() });
export const until = (minutes: number) => ({ last: minutesAgo(minutes).getTime() });
export const failed = (count: number, fields = {}) =>
  requests(count, { status: 500, ...since(20), ...fields });
const keyOf = (client: string) => ({ client, keyId: `${client}00000000`.slice(0, 12) });
export const acme = keyOf('acme');
export const zoo = keyOf('zoo');
export const nobody = { client: '-', keyId: '-' };
export const refused = { ...nobody, status: 401, responseType: 'ACCESS_DENIED' };
const refusal = ({ keyId }: { keyId: string }) => lines(20, { keyId });

/** Releases of some minutes ago, the newest first, after one of long ago. */
export const released = (...minutes: readonly number[]): NonNullable<World['releases']> => [
  ...minutes.map((ago, index) => {
    const commit = 'cdef'[index]?.repeat(12);
    return [`${commit} 222222222222 333333333333 ${commit}`, ago] as const;
  }),
  ['bbbbbbbbbbbb 222222222222 333333333333 bbbbbbbbbbbb', 4000],
];

export const changed = (minutes: number, fields = {}) =>
  trailEvent({
    minutes,
    source: 'lambda.amazonaws.com',
    name: 'UpdateFunctionConfiguration20150331v2',
    parameters: { functionName: functionName(List) },
    ...fields,
  });

const unavailable = errorTable.service_unavailable.message;
const keysUsed = [requests(9000, { ...acme, ...until(61) }), requests(500, { ...zoo, ...until(61) })];
export const itemKey = namesOf(table.key).map(() => '42');

/** What happens to a stage. */
export const incidents = {
  nothing: {},
  brownout: {
    alarms: ['AvailabilityBurnsFast', 'AvailabilityBurnsFast-Now'],
    requests: [requests(700), failed(300, { status: 503 })],
    log: [
      lines(90, { event: unavailable, error: 'TimeoutError', text: 'The call timed out.' }),
      // The authorizer logs what it throws, and so does Lambda.
      lines(105, {
        event: 'The API key could not be read.',
        error: 'ApiError',
        cause: 'TimeoutError',
        text: unavailable,
      }),
      lines(105, { error: 'ApiError', text: unavailable }),
    ],
  },
  throttledTable: {
    requests: [requests(700), failed(300, { status: 503 })],
    log: [
      lines(300, {
        event: unavailable,
        error: 'ThrottlingException',
        text: 'Throughput exceeds the current capacity',
      }),
    ],
  },
  throttledKeys: {
    requests: [requests(500), failed(300, { ...nobody, responseType: 'AUTHORIZER_CONFIGURATION_ERROR' })],
    log: [
      lines(150, {
        event: 'The API key could not be read.',
        error: 'ApiError',
        cause: 'RequestLimitExceeded',
        text: unavailable,
      }),
      lines(150, { error: 'ApiError', text: unavailable }),
    ],
  },
  deletedStack: { status: 'DELETE_IN_PROGRESS', updated: 3, requests: [failed(500)] },
  emptiedKeys: {
    tables: { [ownTable]: 12_000, [apiKeys]: 0 },
    requests: [requests(300, { ...acme, ...until(21) }), requests(200, refused)],
    earlier: keysUsed,
    denied: [refusal(acme), refusal(zoo)],
  },
  /** A tenth of the requests reach an authorizer that denies all keys. */
  denyingCanary: {
    releases: released(22),
    requests: [requests(500, acme), requests(400, zoo), requests(100, refused)],
    earlier: keysUsed,
    denied: [refusal(acme), refusal(zoo)],
  },
  revokedKey: {
    requests: [requests(300, acme), requests(20, refused)],
    earlier: keysUsed,
    denied: [refusal(zoo)],
  },
  madeUpKeys: { alarms: ['KeysRefused'], requests: [requests(900), requests(900, refused)] },
  damagedItem: {
    requests: [requests(900), failed(12)],
    log: [
      lines(12, {
        event: 'A stored item is damaged.',
        table: table.id,
        key: itemKey.join(','),
        attributes: 'status, name',
      }),
      lines(12, { code: 'internal_error', error: 'Error', text: 'A stored item is damaged.' }),
    ],
  },
  hotPartition: { alarms: [`TablesThrottled-${table.id}`], releases: released(100) },
  lockedTable: {
    tables: {
      [ownTable]: { TableStatus: 'INACCESSIBLE_ENCRYPTION_CREDENTIALS' },
      [apiKeys]: 9,
    },
    requests: [failed(500)],
    log: [lines(500, { code: 'internal_error', error: 'InternalServerError' })],
  },
  pastOutage: {
    requests: [requests(700), failed(300, { ...since(50), ...until(25) })],
    log: [],
  },
  deletedTable: {
    tables: { [apiKeys]: 9 },
    requests: [failed(500)],
    log: [lines(500, { code: 'internal_error', error: 'ResourceNotFoundException', text: 'not found' })],
  },
  /** As after a deletion, while `restore` brings it back. */
  restoredTable: {
    tables: { [ownTable]: { TableStatus: 'CREATING' }, [apiKeys]: 9 },
    requests: [failed(500)],
  },
  lostIndex: { tables: { [ownTable]: { GlobalSecondaryIndexes: [] }, [apiKeys]: 9 } },
  badRelease: {
    releases: released(24),
    requests: [requests(900), failed(100)],
    log: [lines(100, { code: 'internal_error', error: 'TypeError', text: 'x is undefined' })],
  },
  lostPermission: {
    requests: [requests(900), failed(100)],
    log: [lines(100, { error: 'AccessDeniedException', text: 'not authorized to perform: dynamodb:Query' })],
    iamEvents: [
      changed(21, {
        name: 'DeleteRolePolicy',
        source: 'iam.amazonaws.com',
        parameters: { roleName: roleOf(List) },
      }),
    ],
  },
  strictRelease: {
    releases: released(25),
    requests: [requests(900), requests(50, { ...zoo, ...since(22), status: 400 })],
    earlier: [requests(900, zoo)],
  },
  detachedAuthorizer: {
    requests: [requests(500, until(20)), requests(300, { ...nobody, ...since(20) }), failed(20, nobody)],
    log: [lines(20, { code: 'internal_error', error: 'ValiError' })],
    events: [changed(21)],
  },
  nothingArrives: { requests: [requests(500, until(20))] },
  wrongPattern: { releases: released(22), requests: [requests(500, until(20))] },
  blockingWebAcl: {
    requests: [requests(500, until(20)), requests(300, { ...nobody, waf: 'WAF_BLOCK', status: 401 })],
  },
  greedyClient: {
    alarms: ['RequestsThrottled'],
    requests: [requests(100), requests(300, { ...zoo, status: 429, responseType: 'THROTTLED' })],
  },
  flood: {
    alarms: ['MostRequestsThrottled'],
    requests: [requests(100), requests(3000, { ...nobody, status: 429, responseType: 'THROTTLED' })],
  },
  throttledFunction: {
    alarms: ['FunctionsThrottled-Authorizer'],
    requests: [failed(50, { responseType: 'INTEGRATION_FAILURE' })],
  },
  emptyLog: { alarms: ['AccessLogEmpty', 'NothingServed', 'RequestsThrottled'], requests: [] },
  expiringCertificate: { alarms: ['CertificateExpires', 'CertificateExpiresSoon'] },
  lostDomain: {
    alarms: ['CertificateExpires', 'CertificateExpiresSoon'],
    requests: [requests(500, until(20))],
  },
  clumsyClient: {
    alarms: [`RequestsRejected-${list.operationId}`],
    releases: released(55),
    requests: [requests(100), requests(9000, { ...zoo, ...since(24), status: 400 })],
  },
  lostPages: { alarms: ['NotificationsFail'] },
  slowRelease: { alarms: ['LatencyBurnsFast', 'LatencyBurnsFast-Now'], releases: released(40) },
  failedRollback: {
    status: 'UPDATE_ROLLBACK_FAILED',
    operations: [
      { OperationType: 'ROLLBACK', OperationId: 'rollback-1' },
      { OperationType: 'UPDATE_STACK', OperationId: 'update-1' },
    ],
    failures: [
      { ...failure(`${List}Function`, 'Resource update cancelled', 4), OperationId: 'rollback-1' },
      { ...failure('AuthorizerFunction', 'Rate exceeded', 5), OperationId: 'rollback-1' },
      failure(`Releases${List}`, 'Deployment failed', 30),
    ],
  },
  hangingCanary: { status: 'UPDATE_IN_PROGRESS', updated: 70, deployments: ['d-1'] },
  rollbackAlarm: { status: 'UPDATE_IN_PROGRESS', updated: 20, alarms: ['Release-Authorizer'] },
  failedUpdate: {
    status: 'UPDATE_ROLLBACK_COMPLETE',
    operations: [
      { OperationType: 'ROLLBACK', OperationId: 'rollback-1' },
      { OperationType: 'UPDATE_STACK', OperationId: 'update-1' },
    ],
    // CloudFormation cancels what is in progress when the first resource fails, and lists the newest first.
    // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-cfn-updating-stacks-monitor-stack.html
    failures: [
      failure('Lists', 'Resource update cancelled', 10),
      failure('Gets', 'Resource update cancelled', 10),
      failure('Creates', 'Resource update cancelled', 10),
      failure('Keys', 'Resource update cancelled', 10),
      failure('PetStoreApiAccountE5FAB35A', 'The role ARN does not have required permissions', 11),
    ],
  },
} satisfies Record<string, World>;

export type Incident = keyof typeof incidents;
