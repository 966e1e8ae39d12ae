import { type AlarmKind, alarmKinds } from '../../../infra/monitoring/alarm-kinds.ts';
import { served } from '../../../infra/monitoring/request-conditions.ts';
import { tableOutput } from '../../../infra/stack-names.ts';
import { tables } from '../../../shared/service.ts';
import { namesOf, type TableDefinition } from '../../../shared/tables/table.ts';
import { before } from '../aws/logs.ts';
import { sumBy, sumOf } from '../aws/requests.ts';
import { keysId } from '../aws/tables.ts';
import { command } from '../command.ts';
import { formatTime, percent, step } from '../report.ts';
import type { Context, Known } from './facts.ts';
import { firingProblem } from './firing.ts';
import { failuresOf, isOfDamage, isOfDatabase, isOfThrottle } from './groups.ts';
import { type Cause, type Problem, recentMinutes, secondPerson, tellClients } from './problem.ts';

const failureAlarms: readonly AlarmKind[] = [
  'AvailabilityBurnsFast',
  'GatewayErrors',
  'OperationDown',
  'OperationFails',
];

export const requestsFail: Cause = (known, context) => {
  const { requests, earlier, log, firing } = known;
  const { minutes } = context;
  const failures = failuresOf(requests, log);
  const { began, ended, error } = failures;
  const total = sumOf(failures.requests);
  const share = total / Math.max(1, sumOf(requests.filter(served.holds)));
  const usual = (sumOf(earlier.filter(({ status }) => status >= 500)) * minutes) / (24 * 60);
  const isMuch =
    (share > 0.01 && total > 2 * usual) || firing.some(({ kind }) => kind && failureAlarms.includes(kind));
  // A few are an accident, unless there is hardly anything else.
  if ((total < 5 && share < 0.5) || !isMuch) return undefined;
  const isOver = ended && ended < before(context.now, recentMinutes).from;
  const when = isOver
    ? `failed, most of them until ${formatTime(ended)}`
    : `fail since ${began && formatTime(began)}`;
  const says = `${percent(share)} of requests ${when}.`;
  const why = reasonOf(known, context, total);
  if (why)
    return {
      says: `${says} ${why.says}`,
      since: began,
      within: recentMinutes,
      next: [...why.next, tellClients],
    };
  return {
    says: `${says} Most: ${error?.slice(0, 100)}.`,
    since: began,
    isUnexplained: true,
    next: [secondPerson, tellClients],
  };
};

/** Returns why most requests fail, if their errors or an alarm say it. */
function reasonOf(
  known: Pick<Known, 'log' | 'firing' | 'stack'>,
  context: Context,
  failedRequests: number,
): Problem | undefined {
  const { log } = known;
  const ofDatabase = log.filter(isOfDatabase);
  if (sumOf(log.filter(isOfDamage)) * 2 >= Math.max(sumOf(log), failedRequests)) return damage(known);
  const throttling =
    firingProblem('FunctionsThrottled', known, context) ?? firingProblem('TablesThrottled', known, context);
  if (throttling || sumOf(ofDatabase) * 2 <= sumOf(log)) return throttling;
  // Lambda logs an error of the authorizer once more, without its cause.
  return sumOf(ofDatabase.filter(isOfThrottle)) * 2 >= sumOf(ofDatabase)
    ? throttledTable
    : slowDatabase(sumBy(ofDatabase, ({ error, cause }) => cause || error).map(({ value }) => value));
}

const throttledTable: Problem = {
  says: `${alarmKinds.TablesThrottled.says}, as DynamoDB says.`,
  next: [{ text: 'see docs/runbook.md#functions-or-tables-are-throttled' }],
};

const slowDatabase = (errors: readonly string[]): Problem => ({
  says: `DynamoDB is slow or fails (${errors.slice(0, 3).join(', ')}).`,
  next: [{ text: 'wait: https://health.aws.amazon.com/health/status says whether AWS repairs it' }],
});

/** Items that the service would not have written. */
export function damage({ log, stack }: Pick<Known, 'log' | 'stack'>): Problem | undefined {
  const damaged = log.filter(({ table }) => table !== '');
  const [item] = damaged;
  const definition = tables.find(({ id }) => id === item?.table);
  if (!item || !definition) return undefined;
  const values = item.key.split(',');
  const keyTypes: TableDefinition['keyTypes'] = definition.keyTypes;
  const key = namesOf(definition.key).map((name, place) => [name, { [`${keyTypes[name]}`]: values[place] }]);
  const name = stack.outputs[tableOutput(item.table)] ?? '<table>';
  const putBack = step(
    'on-call',
    'put it back',
    command`aws dynamodb put-item --table-name ${name} --cli-binary-format base64 --item file://item.json --condition-expression ${`attribute_exists(${namesOf(definition.key)[0]})`}`,
  );
  const items = new Set(damaged.map(({ table, key: own }) => `${table} ${own}`));
  return {
    says: `Damaged items: ${[...items].slice(0, 5).join(', ')}, with wrong ${item.attributes}.`,
    next: [
      step(
        'on-call',
        'read it, and correct it in the file: docs/runbook.md#a-damaged-item',
        command`aws dynamodb get-item --table-name ${name} --key ${JSON.stringify(Object.fromEntries(key))} --query Item --output json > item.json`,
      ),
      ...(item.table === keysId ? [] : [putBack]),
    ],
  };
}
