import type { AlarmKind } from '../../../infra/monitoring/alarm-kinds.ts';
import { failed, noValue, served } from '../../../infra/monitoring/request-conditions.ts';
import { tableOutput } from '../../../infra/stack-names.ts';
import { errorTable } from '../../../shared/contract/error-table.ts';
import { tables } from '../../../shared/service.ts';
import { damagedItemMessage } from '../../../shared/tables/stored-item.ts';
import { namesOf, type TableDefinition } from '../../../shared/tables/table.ts';
import { firstOf, type LogGroup, lastOf, type RequestGroup, sumBy, sumOf } from '../aws/requests.ts';
import { keysId } from '../aws/tables.ts';
import { command } from '../command.ts';
import { formatTime, percent, type Step, step } from '../report.ts';
import { fires } from './alarms.ts';
import type { Known } from './facts.ts';
import { type Cause, secondPerson, tellClients } from './problem.ts';

export const failureAlarms: readonly AlarmKind[] = [
  'AvailabilityBurnsFast',
  'OperationDown',
  'GatewayErrors',
  'AvailabilityBurnsSlowly',
  'OperationFails',
];

/**
 * Whether a call of DynamoDB or a handler took too long. The authorizer logs with an error what handlers log as event,
 * and Lambda logs that error once more.
 */
const isUnavailable = ({ event, text }: LogGroup) =>
  [event, text].includes(errorTable.service_unavailable.message);

const errorOf = (line: LogGroup): string => {
  const { code, error, text, event } = line;
  return isUnavailable(line)
    ? 'service_unavailable'
    : [code, error, text || event].filter(Boolean).join(', ');
};

type Timed = Pick<RequestGroup, 'count' | 'first' | 'last'>;

const responseOf = ({ status, responseType }: RequestGroup) =>
  responseType === noValue ? `${status}` : `${status} ${responseType}`;

/** Returns what most failures have in common: an error, or a response if what failed has logged nothing. */
function mostOf(failures: readonly RequestGroup[], log: readonly LogGroup[]) {
  const [error] = sumBy(log, errorOf);
  const [line] = error?.groups ?? [];
  if (error && line && error.count * 2 >= sumOf(failures)) {
    const names = sumBy(error.groups, (own) => own.cause || own.error).map(({ value }) => value);
    const text = isUnavailable(line) ? `${error.value}, ${names.slice(0, 3).join(', ')}` : error.value;
    return { text, line, groups: error.groups };
  }
  const [response] = sumBy(failures, responseOf);
  return response && { text: response.value, line: undefined, groups: response.groups };
}

/** Returns the largest of some groups, which together are more than half of their lines. */
function largestOf(groups: readonly Timed[]): readonly Timed[] {
  const total = sumOf(groups);
  return groups.filter((_group, index) => sumOf(groups.slice(0, index)) * 2 <= total);
}

export const requestsFail: Cause = (known, { minutes }) => {
  const failures = known.requests.filter(failed.holds);
  const total = sumOf(failures);
  const share = total / Math.max(1, sumOf(known.requests.filter(served.holds)));
  // A few are an accident, unless there is hardly anything else.
  if (total < 5 && share < 0.5) return undefined;
  const usual = (sumOf(known.earlier.filter(failed.holds)) * minutes) / (24 * 60);
  if (!(share > 0.01 && total > 2 * usual) && !fires(known, failureAlarms)) return undefined;

  // A damaged item is logged itself, also if a list omits it, and once more as the error of a request that needs it.
  const errors = known.log.filter(({ table }) => table === '');
  const most = mostOf(failures, errors);
  if (!most) return undefined;
  const { line, text } = most;
  if (line?.text === damagedItemMessage) return damagedItems(known);
  const groups = largestOf(most.groups);
  const first = firstOf(groups);
  const last = lastOf(groups);
  const says = `${percent(share)} of requests failed, most from ${first && formatTime(first)} to ${last && formatTime(last)}: ${text.slice(0, 100)}.`;
  const mayFollowRelease = !(line && isUnavailable(line));
  const next = [mayFollowRelease ? secondPerson : waitForDynamodb, tellClients];
  return { says, firstSign: first, mayFollowRelease, next };
};

const waitForDynamodb: Step = {
  text: 'unless a release came right before, wait: https://health.aws.amazon.com/health/status says whether AWS repairs DynamoDB. If it throttles: docs/runbook.md#functions-or-tables-are-throttled',
};

/** Items that the service would not have written. */
export function damagedItems({ log, stack }: Pick<Known, 'log' | 'stack'>) {
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
