import { stackName } from '../../../infra/stack-names.ts';
import { readFiringAlarms } from '../aws/alarms.ts';
import { before } from '../aws/logs.ts';
import { readReleases } from '../aws/releases.ts';
import { readDeniedKeys, readFailures, readRequests } from '../aws/requests.ts';
import { readFailure, readIndexNames, type Stack } from '../aws/stack.ts';
import { readTables } from '../aws/tables.ts';
import { derive, read, type Values } from '../fact.ts';
import { deployedStack, type Reading } from '../read-stage.ts';
import { causeText } from '../rollback/stack-state.ts';
import { readChanges } from './changes.ts';
import { usesOf } from './groups.ts';

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
export async function readFacts(reading: Reading, { stage, now, minutes }: Context) {
  const { attempt, clients } = reading;
  const name = stackName(stage);
  const stack = deployedStack(reading);
  const period = before(now, minutes);
  const ofStack = <T>(what: string, call: (stack: Stack) => Promise<T>) =>
    attempt(what, { stack }, (known) => call(known.stack));
  const changes = (what: string, client: typeof clients.cloudTrail, isOfIam: boolean) =>
    ofStack(what, ({ idsOf }) => {
      const names = [`${name}-`, `/${name}/`, ...idsOf('AWS::ApiGateway::RestApi')];
      const own = { names, roles: idsOf('AWS::IAM::Role'), isOfIam };
      return readChanges(client, clients.clock, own, before(now, minutes + suspiciousMinutes).from);
    });

  const [tables, indexNames, failure, firing, releases, own, iam, requests, earlier, log] = await Promise.all(
    [
      ofStack('tables', ({ outputs }) => readTables(clients, stage, outputs)),
      attempt('template', {}, () => readIndexNames(clients, name)),
      ofStack('failures of the stack', (known) => readFailure(clients, known)),
      attempt('alarms', {}, () => readFiringAlarms(clients, name)),
      attempt('releases', {}, () => readReleases(clients, stage)),
      changes('changes by hand', clients.cloudTrail, false),
      changes('changes by hand in IAM', clients.iamTrail, true),
      ofStack('requests', (known) => readRequests(clients, accessLogOf(known), period)),
      ofStack('requests of the day before', (known) =>
        readRequests(clients, accessLogOf(known), before(period.from, 24 * 60)),
      ),
      ofStack('logs of the functions', (known) => {
        const logs = known.idsOf('AWS::Logs::LogGroup').filter((id) => id !== accessLogOf(known));
        return readFailures(clients, logs, period);
      }),
    ],
  );
  const denied = await attempt('denied keys', { stack, requests, earlier }, async (known) => {
    const uses = usesOf([...known.earlier.groups, ...known.requests.groups]);
    const keyIds = [...new Set(uses.map(({ keyId }) => keyId))];
    if (keyIds.length === 0) return { groups: [], unclear: 0 };
    return readDeniedKeys(clients, known.stack.idOf('AWS::Logs::LogGroup', 'AuthorizerLogs'), keyIds, period);
  });
  return {
    stack,
    tables,
    indexNames,
    /** Says itself whether it is unread: nothing follows from it. */
    cause: read(causeText(failure)),
    firing,
    releases,
    changes: own,
    iamChanges: iam,
    requests: derive(requests, ({ groups }) => groups),
    /** Unread if a line is unclear: for what follows only from a request that did not arrive. */
    allRequests: await attempt('some lines of the access log', { requests }, async (known) => {
      const { groups, unclear } = known.requests;
      if (unclear > 0) throw new Error(`${unclear} groups of them are unclear`);
      return groups;
    }),
    earlier: derive(earlier, ({ groups }) => groups),
    log: derive(log, ({ groups }) => groups),
    denied: derive(denied, ({ groups }) => groups),
  };
}
