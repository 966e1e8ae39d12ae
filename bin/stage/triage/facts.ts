import { stackName } from '../../../infra/stack-names.ts';
import { before } from '../aws/logs.ts';
import { readReleases } from '../aws/releases.ts';
import { readDeniedKeys, readFailures, readRequests } from '../aws/requests.ts';
import { readFailure, readIndexNames, type Stack } from '../aws/stack.ts';
import { readTables } from '../aws/tables.ts';
import { derive, type Values } from '../fact.ts';
import { deployedStack, type Reading } from '../read-stage.ts';
import { readFiringAlarms } from './alarms.ts';
import { readChanges } from './changes.ts';

/** What is known of a stage. */
export type Facts = Awaited<ReturnType<typeof readFacts>>;
export type Known = Values<Facts>;

/** What needs no call. */
export interface Context extends Pick<Reading, 'stage' | 'settings' | 'now'> {
  /** How far back requests and logs are read. */
  readonly minutes: number;
}

/** How long before a problem its cause may be. */
export const suspiciousMinutes = 60;

const accessLogOf = ({ idOf }: Stack) => idOf('AWS::Logs::LogGroup', 'AccessLogs');

/** Reads what may be wrong with a stage. */
export async function readFacts(reading: Reading, context: Context) {
  const { attempt, clients } = reading;
  const { stage, now, minutes } = context;
  const name = stackName(stage);
  const stack = deployedStack(reading);
  const period = before(now, minutes);
  const changes = (what: string, client: typeof clients.cloudTrail, isOfIam: boolean) =>
    attempt(what, { stack }, ({ stack: { idsOf } }) => {
      const names = [`${name}-`, `/${name}/`, ...idsOf('AWS::ApiGateway::RestApi')];
      const own = { names, roles: idsOf('AWS::IAM::Role'), isOfIam };
      return readChanges(client, own, before(now, minutes + suspiciousMinutes).from);
    });

  const reads = {
    tables: attempt('tables', { stack }, ({ stack: { outputs } }) => readTables(clients, stage, outputs)),
    indexNames: attempt('template', {}, () => readIndexNames(clients, name)),
    failure: attempt('failures of the stack', { stack }, ({ stack: own }) => readFailure(clients, own)),
    firing: attempt('alarms', {}, () => readFiringAlarms(clients, name)),
    releases: attempt('releases', {}, () => readReleases(clients, stage)),
    changes: changes('changes by hand', clients.cloudTrail, false),
    iamChanges: changes('changes by hand in IAM', clients.iamTrail, true),
    requests: attempt('requests', { stack }, ({ stack: own }) =>
      readRequests(clients, accessLogOf(own), period),
    ),
    earlier: attempt('requests of the day before', { stack }, ({ stack: own }) =>
      readRequests(clients, accessLogOf(own), before(period.from, 24 * 60)),
    ),
    log: attempt('logs of the functions', { stack }, ({ stack: own }) => {
      const logs = own.idsOf('AWS::Logs::LogGroup').filter((log) => log !== accessLogOf(own));
      return readFailures(clients, logs, period);
    }),
    denied: attempt('denied keys', { stack }, ({ stack: { idOf } }) =>
      readDeniedKeys(clients, idOf('AWS::Logs::LogGroup', 'AuthorizerLogs'), period),
    ),
  };
  const requests = await reads.requests;
  return {
    stack,
    tables: await reads.tables,
    indexNames: await reads.indexNames,
    failure: await reads.failure,
    firing: await reads.firing,
    releases: await reads.releases,
    changes: await reads.changes,
    iamChanges: await reads.iamChanges,
    requests: derive(requests, ({ groups }) => groups),
    /** Unread if a line is unclear: then nobody knows what did not arrive. */
    allRequests: await attempt('some lines of the access log', { requests }, async ({ requests: own }) => {
      if (own.unclear > 0) throw new Error(`${own.unclear} groups of them are unclear`);
      return own.groups;
    }),
    earlier: derive(await reads.earlier, ({ groups }) => groups),
    log: derive(await reads.log, ({ groups }) => groups),
    denied: derive(await reads.denied, ({ groups }) => groups),
  };
}
