import { keyPrefixOf } from '../../../infra/key-prefix.ts';
import { type AlarmKind, alarmKinds } from '../../../infra/monitoring/alarm-kinds.ts';
import { noValue, served, throttled } from '../../../infra/monitoring/request-conditions.ts';
import { namesOf } from '../../../shared/tables/table.ts';
import { before } from '../aws/logs.ts';
import { firstOf, lastOf, sumBy, sumOf } from '../aws/requests.ts';
import { command } from '../command.ts';
import { baseUrlOf } from '../read-stage.ts';
import { count, formatTime, percent, type Step, step } from '../report.ts';
import { damage } from './damage.ts';
import type { Context, Known } from './facts.ts';
import { alarm, firingProblem } from './firing.ts';
import { failuresOf, isOfDamage, isOfDatabase, isOfThrottle, refusedKeys } from './groups.ts';
import { type Cause, failureText, type Problem, secondPerson, tellClients } from './problem.ts';

/** What has not happened for this long does not happen any more. */
const recentMinutes = 15;

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html */
const usable = ['ACTIVE', 'UPDATING'];

const lostTable: Cause = ({ tables }, { stage }) => {
  const bad = tables.find(({ table }) => !table || !usable.includes(`${table.TableStatus}`));
  if (!bad) return undefined;
  const { id, name, table } = bad;
  if (table) {
    const says = `The table of ${id} is ${table.TableStatus}: ${name}.`;
    return { says, isUnexplained: true, next: [secondPerson, tellClients] };
  }
  return {
    says: `The table of ${id} does not exist any more: ${name}.`,
    next: [
      step('restore', 'restore it', command`npm run stage -- restore ${stage} --table ${id}`),
      tellClients,
    ],
  };
};

/** An index that lists need is not there, or not yet. This clone may have one that is not deployed yet. */
const lostIndex: Cause = ({ tables, indexNames }) => {
  const indexes = tables.flatMap(({ name, table, definition }) =>
    Object.entries(definition.indexes).map(([IndexName, key]) => ({
      IndexName,
      key,
      name,
      types: definition.keyTypes,
      status: table?.GlobalSecondaryIndexes?.find((index) => index.IndexName === IndexName)?.IndexStatus,
    })),
  );
  const lost = indexes.find(({ IndexName, status }) => status !== 'ACTIVE' && indexNames.includes(IndexName));
  if (!lost) return undefined;
  const { IndexName, name, status } = lost;
  const attributes = namesOf(lost.key);
  const KeySchema = attributes.map((AttributeName, place) => ({
    AttributeName,
    KeyType: place === 0 ? 'HASH' : 'RANGE',
  }));
  const create = { Create: { IndexName, KeySchema, Projection: { ProjectionType: 'ALL' } } };
  const types = attributes.map((own) => `AttributeName=${own},AttributeType=${lost.types[own]}`);
  const recreate = command`aws dynamodb update-table --table-name ${name} --attribute-definitions ${types} --global-secondary-index-updates ${JSON.stringify([create])}`;
  return {
    says: `The index ${IndexName} of ${name} is ${status ?? 'gone'}: lists that filter fail.`,
    next: [step('administrator', 'recreate it if it is gone, which no deploy does', recreate)],
  };
};

/** The stack accepts no update, or is being deleted. */
const stuckStack: Cause = (known, { stage }) => {
  const { status } = known.stack;
  if (!/FAILED$|^DELETE_/.test(status)) return undefined;
  const next = [step('on-call', 'see what to do', command`npm run stage -- rollback ${stage}`), secondPerson];
  if (!status.endsWith('FAILED')) return { says: `The stack is in ${status}.`, next };
  return { says: `The stack is in ${status}. ${failureText(known.failure)}`, next };
};

/** Somebody has detached the authorizer, without which creates fail, and reads do not. */
const servedWithoutKey: Cause = ({ requests }) => {
  const open = requests.filter(({ client, status }) => client === noValue && status < 400);
  if (open.length === 0) return undefined;
  const says = `${count(sumOf(open))} requests were served without a key.`;
  return { says, since: firstOf(open), isUnexplained: true, next: [secondPerson, tellClients] };
};

const failureAlarms: readonly AlarmKind[] = [
  'AvailabilityBurnsFast',
  'GatewayErrors',
  'OperationDown',
  'OperationFails',
];

const requestsFail: Cause = (known, context) => {
  const { requests, earlier, log, firing } = known;
  const { minutes } = context;
  const failures = failuresOf(requests, log);
  const { began, ended, error } = failures;
  const total = sumOf(failures.requests);
  const share = total / Math.max(1, sumOf(requests.filter(served.holds)));
  const usual = (sumOf(earlier.filter(({ status }) => status >= 500)) * minutes) / (24 * 60);
  const isMuch =
    (share > 0.01 && total > 2 * usual) || firing.some(({ kind }) => kind && failureAlarms.includes(kind));
  if (total < 5 || !isMuch) return undefined;
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

/** Keys that were served: a release or a change denies them, or their table was emptied. */
const allKeysRefused: Cause = ({ allRequests, earlier, denied }, { stage }) => {
  const { keys, since, isAll } = refusedKeys([...earlier, ...allRequests], denied);
  if (!isAll || !since) return undefined;
  const list = step(
    'keys',
    'see the keys. If none is listed, their table was emptied: docs/restore.md#keys-are-missing',
    command`npm run keys -- list --stage ${stage} --client ${keys[0]?.client ?? '<client>'}`,
  );
  return {
    says: `All ${keys.length} keys are refused since ${formatTime(since)}.`,
    since,
    next: [list, tellClients],
  };
};

const nothingServed: Cause = ({ allRequests, earlier, firing, stack }, context) => {
  const recent = before(context.now, recentMinutes).from;
  const lastServed = lastOf(allRequests.filter((own) => served.holds(own) && own.status < 500));
  const usual = (sumOf(earlier) * recentMinutes) / (24 * 60);
  if (usual < 3 || (lastServed && lastServed >= recent)) return undefined;
  // They explain it, and are named for themselves.
  const explains: readonly AlarmKind[] = ['WebAclBlocks', 'MostRequestsThrottled', 'RequestsThrottled'];
  const isExplained = firing.some(({ kind }) => kind && explains.includes(kind));
  if (isExplained && allRequests.some(throttled.holds)) return undefined;
  if (firing.some(({ kind }) => kind === 'WebAclBlocks')) return undefined;
  const arriving = allRequests.filter(({ last }) => last >= recent);
  const isBlocked = sumOf(arriving.filter(({ waf }) => waf === 'WAF_BLOCK')) * 2 > sumOf(arriving);
  const text = 'ask from outside AWS. What the answer means: docs/runbook.md#nothing-is-served';
  const smoke = command`BASE_URL=${baseUrlOf(context, stack)} API_KEY=${keyPrefixOf(context.stage)}… npm run smoke`;
  return {
    says: `No request was served in ${recentMinutes} minutes, and ${count(sumOf(arriving))} arrived.`,
    since: lastServed,
    isUnexplained: true,
    next: [{ text, commands: [smoke] }, ...(isBlocked ? detachWebAcl(stack) : []), tellClients],
  };
};

/** A rule may be wrong: what detaches the web ACL, and what attaches it again, which no deploy does. */
export function detachWebAcl({ idsOf }: Known['stack']): readonly Step[] {
  const [association = ''] = idsOf('AWS::WAFv2::WebACLAssociation');
  const arnOf = (service: string) =>
    association.split('|').find((arn) => arn.includes(`:${service}:`)) ?? `<ARN of ${service}>`;
  return [
    step(
      'on-call',
      'if a rule of the web ACL is wrong, detach it',
      command`aws wafv2 disassociate-web-acl --resource-arn ${arnOf('apigateway')}`,
    ),
    step(
      'on-call',
      'attach it after the deploy that corrects the rule',
      command`aws wafv2 associate-web-acl --resource-arn ${arnOf('apigateway')} --web-acl-arn ${arnOf('wafv2')}`,
    ),
  ];
}

/** Why requests fail or are not served. The first one explains those after it. */
export const outages: readonly Cause[] = [
  lostTable,
  lostIndex,
  stuckStack,
  // Without the log, nothing is known of requests.
  alarm('AccessLogEmpty'),
  servedWithoutKey,
  requestsFail,
  allKeysRefused,
  alarm('CertificateExpiresSoon'),
  nothingServed,
];
