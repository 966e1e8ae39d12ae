import { stackName } from '../../../infra/stack-names.ts';
import { readAlarms } from '../aws/alarms.ts';
import { before } from '../aws/logs.ts';
import { readReleases } from '../aws/releases.ts';
import { keyIdsOf, readDeniedKeys, readFailures, readRequests } from '../aws/requests.ts';
import { readIndexNames, type Stack } from '../aws/stack.ts';
import { readTables } from '../aws/tables.ts';
import type { Values } from '../fact.ts';
import { deployedStack, type Reading } from '../read-stage.ts';
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
export const suspiciousMinutes = 120;

const accessLogOf = ({ idOf }: Stack) => idOf('AWS::Logs::LogGroup', 'AccessLogs');

/** Reads what may be wrong with a stage. */
export async function readFacts(reading: Reading, { stage, now, minutes }: Context) {
  const { attempt, clients } = reading;
  const name = stackName(stage);
  const stack = deployedStack(reading);
  const period = before(now, minutes);
  const ofStack = <T>(what: string, call: (stack: Stack) => Promise<T>) =>
    attempt(what, { stack }, (known) => call(known.stack));
  const readChangesIn = (what: string, client: typeof clients.cloudTrail, isOfIam: boolean) =>
    ofStack(what, ({ idsOf }) => {
      const names = [`${name}-`, `/${name}/`, ...idsOf('AWS::ApiGateway::RestApi')];
      const own = { names, roles: idsOf('AWS::IAM::Role'), isOfIam };
      return readChanges(client, clients.clock, own, before(now, minutes + suspiciousMinutes).from);
    });

  const [tables, indexNames, alarms, releases, changes, iamChanges, requests, earlier, log] =
    await Promise.all([
      ofStack('tables', ({ outputs }) => readTables(clients, stage, outputs)),
      attempt('template', {}, () => readIndexNames(clients, name)),
      attempt('alarms', {}, () => readAlarms(clients, name)),
      attempt('releases', {}, () => readReleases(clients, stage)),
      readChangesIn('changes by hand', clients.cloudTrail, false),
      readChangesIn('changes by hand in IAM', clients.iamTrail, true),
      ofStack('requests', (known) => readRequests(clients, accessLogOf(known), period)),
      ofStack('requests of the day before', (known) =>
        readRequests(clients, accessLogOf(known), before(period.from, 24 * 60)),
      ),
      ofStack('logs of the functions', (known) => {
        const logs = known.idsOf('AWS::Logs::LogGroup').filter((id) => id !== accessLogOf(known));
        return readFailures(clients, logs, period);
      }),
    ]);
  /** Which of the keys that were accepted are denied. */
  const denied = await attempt('denied keys', { stack, requests, earlier }, async (known) => {
    const keyIds = keyIdsOf([...known.earlier, ...known.requests]);
    if (keyIds.length === 0) return [];
    return readDeniedKeys(clients, known.stack.idOf('AWS::Logs::LogGroup', 'AuthorizerLogs'), keyIds, period);
  });
  return {
    stack,
    tables,
    indexNames,
    alarms,
    releases,
    changes,
    iamChanges,
    requests,
    earlier,
    log,
    denied,
  };
}
