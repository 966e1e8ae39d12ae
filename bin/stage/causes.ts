import { keyPrefixOf } from '../../infra/key-prefix.ts';
import { tableOutput } from '../../infra/stack-names.ts';
import { tables } from '../../shared/service.ts';
import { namesOf, type TableDefinition } from '../../shared/tables/table.ts';
import { before } from './aws/logs.ts';
import { keysId } from './aws/tables.ts';
import { type Command, command } from './command.ts';
import { baseUrlOf } from './read-stage.ts';
import { count, type Finding, finding, formatTime, percent, type Step, step } from './report.ts';
import { firstOf, isOfDamage, isOfDatabase, isServed, lastOf, sumBy, sumOf } from './requests.ts';
import { recentMinutes, type TriageFacts } from './triage-facts.ts';

/** What is wrong, and what helps. */
interface Problem {
  readonly says: string;
  /** When it began: a release or a change right before is to blame first. */
  readonly since?: Date | undefined;
  /** For how many minutes before: short if what happened is no change. */
  readonly within?: number;
  /** Whether only a change could be the cause. */
  readonly isUnexplained?: boolean;
  readonly next: readonly Step[];
}

type Cause = (facts: TriageFacts) => Problem | undefined;

/** Why requests fail or are not served. The first one explains those after it. */
const outages: readonly Cause[] = [
  lostTable,
  lostIndex,
  servedWithoutKey,
  alarm('AccessLogEmpty'),
  requestsFail,
  allKeysRefused,
  alarm('CertificateExpiresSoon'),
  nothingServed,
];

/** What can happen beside an outage, and beside each other. */
const others: readonly Cause[] = [
  throttled,
  someKeysRefused,
  requestsRejected,
  (facts) => (requestsFail(facts) ? undefined : (damage(facts) ?? alarm('FunctionsThrottled')(facts))),
  madeUpKeys,
  webAclBlocks,
  (facts) => (facts.firingOf('CertificateExpiresSoon') ? undefined : alarm('CertificateExpires')(facts)),
  alarm('NotificationsFail'),
];

/** Returns what the facts show, the most important first. */
export function findingsOf(facts: TriageFacts): readonly Finding[] {
  const found = (causes: readonly Cause[]) => causes.flatMap((cause) => cause(facts) ?? []);
  const all = [...found(outages).slice(0, 1), ...found(others)];
  const different = [...new Map(all.map((problem) => [problem.says, problem])).values()];
  const problems = different.length > 0 ? different : [unread(facts) ?? otherAlarm(facts) ?? nothing];
  return problems.map((problem) => conclude(facts, problem));
}

function conclude({ changesBefore, releases, byHand }: TriageFacts, problem: Problem): Finding {
  const { says, since, within, isUnexplained, next } = problem;
  const changes = since ? changesBefore(since, within) : [];
  // If the nearest change is not to blame, another may be.
  const ways = [...new Map(changes.map(({ next }) => [next.text, next])).values()];
  const then = next.map((step) => (step === secondPerson ? ifThatFails : step));
  if (changes[0]) return finding(`${says} Soon before: ${changes[0].text}.`, ...ways, ...then);
  if (!isUnexplained) return finding(says, ...next);
  const isKnown = since && releases && byHand?.isComplete;
  const why = isKnown ? 'no release or change by hand came right before' : 'what changed before is not known';
  return finding(`${says} Nothing shows why: ${why}.`, ...next);
}

const tellClients: Step = { text: 'tell clients: docs/runbook.md#tell-clients' };

const secondPerson: Step = {
  text: 'wake the second person, and look for what changed: docs/runbook.md#a-page',
};

const ifThatFails: Step = { text: 'if that does not help, wake the second person' };

/** What to run first for the cause of an alarm whose own text says what is wrong, by how its name begins. */
const looks: Readonly<Record<string, (facts: TriageFacts) => Command>> = {
  AccessLogEmpty: ({ stack }) =>
    command`aws apigateway get-account --query ${`{used: cloudwatchRoleArn, ofStack: '${stack?.idsOf('AWS::IAM::Role', 'CloudWatchRole')[0]}'}`}`,
  CertificateExpires: ({ settings: { domain } }) =>
    command`aws acm describe-certificate --certificate-arn ${domain?.certificateArn ?? ''} --query 'Certificate.[Type,Status,NotAfter,InUseBy,RenewalSummary,DomainValidationOptions]'`,
  FunctionsThrottled: ({ firingOf, stack }) => {
    const id = firingOf('FunctionsThrottled')?.name.replace(/^.*-/, '');
    return command`aws lambda get-function-concurrency --function-name ${stack?.idsOf('AWS::Lambda::Function', id)[0] ?? ''}`;
  },
  NotificationsFail: ({ stack }) =>
    command`aws sns list-subscriptions-by-topic --topic-arn ${stack?.outputs['PageTopicArn'] ?? ''} --query 'Subscriptions[].[Protocol,SubscriptionArn]' --output text`,
};

/** Returns the problem that an alarm names, if it fires. Names may begin with this one. */
function alarm(name: string): Cause {
  return (facts) => {
    const firing = facts.firingOf(name);
    if (!firing) return undefined;
    const section = name === 'AccessLogEmpty' ? 'the-access-log-is-empty' : firing.section;
    const [, look] = Object.entries(looks).find(([start]) => name.startsWith(start)) ?? [];
    const text = `see docs/runbook.md#${section}`;
    return { says: firing.meaning, next: [look ? step('on-call', text, look(facts)) : { text }] };
  };
}

function webAclBlocks(facts: TriageFacts): Problem | undefined {
  const problem = alarm('WebAclBlocks')(facts);
  return problem && { ...problem, next: [...problem.next, ...detachWebAcl(facts)] };
}

/** A rule may be wrong: what detaches the web ACL, and what attaches it again, which no deploy does. */
function detachWebAcl({ stack }: TriageFacts): readonly Step[] {
  const [association = ''] = stack?.idsOf('AWS::WAFv2::WebACLAssociation') ?? [];
  const arnOf = (service: string) =>
    association.split('|').find((arn) => arn.includes(`:${service}:`)) ?? `<ARN of ${service}>`;
  const api = arnOf('apigateway');
  const attach = command`aws wafv2 associate-web-acl --resource-arn ${api} --web-acl-arn ${arnOf('wafv2')}`;
  return [
    step(
      'on-call',
      'if a rule of the web ACL is wrong, detach it',
      command`aws wafv2 disassociate-web-acl --resource-arn ${api}`,
    ),
    step('on-call', 'attach it after the deploy that corrects the rule', attach),
  ];
}

function lostTable({ tables, stage }: TriageFacts): Problem | undefined {
  const lost = tables?.find(({ table }) => !table);
  if (!lost) return undefined;
  const restore = command`npm run stage -- restore ${stage} --table ${lost.id}`;
  return {
    says: `The table of ${lost.id} does not exist any more: ${lost.name}.`,
    next: [step('restore', 'restore it', restore), tellClients],
  };
}

/** An index that lists need is not there, or not yet. */
function lostIndex({ tables = [], indexNames }: TriageFacts): Problem | undefined {
  for (const { name, table, definition } of tables) {
    for (const [IndexName, key] of Object.entries(definition.indexes)) {
      const found = table?.GlobalSecondaryIndexes?.find((index) => index.IndexName === IndexName);
      if (found?.IndexStatus === 'ACTIVE') continue;
      // This clone may have an index that is not deployed yet.
      if (indexNames && !indexNames.includes(IndexName)) continue;
      const types = namesOf(key).map(
        (attribute) => `AttributeName=${attribute},AttributeType=${definition.keyTypes[attribute]}`,
      );
      const KeySchema = namesOf(key).map((AttributeName, place) => ({
        AttributeName,
        KeyType: place === 0 ? 'HASH' : 'RANGE',
      }));
      const create = { Create: { IndexName, KeySchema, Projection: { ProjectionType: 'ALL' } } };
      const recreate = command`aws dynamodb update-table --table-name ${name} --attribute-definitions ${types} --global-secondary-index-updates ${JSON.stringify([create])}`;
      return {
        says: `The index ${IndexName} of ${name} is ${found?.IndexStatus ?? 'gone'}: lists that filter fail.`,
        next: [step('administrator', 'recreate it if it is gone, which no deploy does', recreate)],
      };
    }
  }
  return undefined;
}

/** Somebody has detached the authorizer, without which creates fail, and reads do not. */
function servedWithoutKey({ requests = [] }: TriageFacts): Problem | undefined {
  const open = requests.filter(({ client, status }) => client === '' && status < 400);
  if (open.length === 0) return undefined;
  const says = `${count(sumOf(open))} requests were served without a key.`;
  return { says, since: firstOf(open), isUnexplained: true, next: [secondPerson, tellClients] };
}

const failureAlarms = ['Availability', 'GatewayErrors', 'OperationDown', 'OperationFails'];

function requestsFail(facts: TriageFacts): Problem | undefined {
  const { failing, served, earlier = [], firingOf, minutes } = facts;
  const { failed, logged, began, error } = failing;
  const share = sumOf(failed) / Math.max(1, served);
  const usual = (sumOf(earlier.filter(({ status }) => status >= 500)) * minutes) / (24 * 60);
  const isMuch = (share > 0.01 && sumOf(failed) > 2 * usual) || failureAlarms.some(firingOf);
  if (sumOf(failed) < 5 || !isMuch) return undefined;
  const says = `${percent(share)} of requests ${began ? `fail since ${formatTime(began)}` : `failed in ${minutes} minutes`}.`;
  const isDamage = sumOf(logged.filter(isOfDamage)) * 2 >= Math.max(sumOf(logged), sumOf(failed));
  const cause =
    (isDamage ? damage(facts) : undefined) ??
    alarm('FunctionsThrottled')(facts) ??
    alarm('TablesThrottled')(facts) ??
    databaseFails(facts);
  if (cause) {
    return { says: `${says} ${cause.says}`, since: began, within: 15, next: [...cause.next, tellClients] };
  }
  return {
    says: `${says} Most log: ${error?.slice(0, 100)}.`,
    since: began,
    isUnexplained: true,
    next: [secondPerson, tellClients],
  };
}

/** Items that the service would not have written. */
function damage({ failing: { logged }, stack }: TriageFacts): Problem | undefined {
  const damaged = logged.filter(({ table }) => table !== '');
  const [item] = damaged;
  const definition = tables.find(({ id }) => id === item?.table);
  if (!item || !definition) return undefined;
  const values = item.key.split(',');
  const keyTypes: TableDefinition['keyTypes'] = definition.keyTypes;
  const key = namesOf(definition.key).map((name, place) => [name, { [`${keyTypes[name]}`]: values[place] }]);
  const name = stack?.outputs[tableOutput(item.table)] ?? '';
  const putBack = step(
    'on-call',
    'put it back',
    command`aws dynamodb put-item --table-name ${name} --cli-binary-format base64 --item file://item.json --condition-expression ${`attribute_exists(${namesOf(definition.key)[0]})`}`,
  );
  const items = new Set(damaged.map(({ table, key }) => `${table} ${key}`));
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

function databaseFails({ failing: { logged } }: TriageFacts): Problem | undefined {
  const unavailable = logged.filter(isOfDatabase);
  if (sumOf(unavailable) * 2 <= sumOf(logged)) return undefined;
  const errors = sumBy(unavailable, ({ error }) => error).map(({ value }) => value);
  return {
    says: `DynamoDB is slow or fails (${errors.slice(0, 3).join(', ')}).`,
    next: [{ text: 'wait: https://health.aws.amazon.com/health/status says whether AWS repairs it' }],
  };
}

/** Keys that were served: a release or a change denies them, or their table was emptied. */
function allKeysRefused(facts: TriageFacts): Problem | undefined {
  const { refused, releases = [], changesBefore } = facts;
  const { keys, since, isAll } = refused;
  if (!isAll || !since) return undefined;
  const says = `All ${keys.length} keys are refused since ${formatTime(since)}.`;
  const [latest, earlier] = releases;
  if (latest?.tables !== earlier?.tables && changesBefore(since).some(({ isRelease }) => isRelease)) {
    const other = 'The release uses another table: nothing is lost, do not restore.';
    return { says: `${says} ${other}`, since, next: [tellClients] };
  }
  const list = listKeys(
    facts,
    'see the keys. If none is listed, their table was emptied: docs/restore.md#keys-are-missing',
  );
  return { says, since, next: [list, tellClients] };
}

const listKeys = ({ stage, refused }: TriageFacts, text: string) =>
  step(
    'keys',
    text,
    command`npm run keys -- list --stage ${stage} --client ${refused.keys[0]?.client ?? ''}`,
  );

function nothingServed(facts: TriageFacts): Problem | undefined {
  const { requests = [], earlier = [], now, stage } = facts;
  const recent = before(now, recentMinutes).from;
  const lastServed = lastOf(requests.filter((group) => isServed(group) && group.status < 500));
  const usual = (sumOf(earlier) * recentMinutes) / (24 * 60);
  if (usual < 3 || (lastServed && lastServed >= recent)) return undefined;
  // They explain it.
  if (facts.firingOf('WebAclBlocks') ?? throttled(facts)) return undefined;
  const arriving = requests.filter(({ last }) => last >= recent);
  const arrived = sumOf(arriving);
  const isBlocked = sumOf(arriving.filter(({ waf }) => waf === 'WAF_BLOCK')) * 2 > arrived;
  const text = 'ask from outside AWS. What the answer means: docs/runbook.md#nothing-is-served';
  const smoke = command`BASE_URL=${baseUrlOf(facts, facts.stack)} API_KEY=${keyPrefixOf(stage)}… npm run smoke`;
  return {
    says: `No request was served in ${recentMinutes} minutes, and ${count(arrived)} arrived.`,
    since: lastServed,
    isUnexplained: true,
    next: [{ text, commands: [smoke] }, ...(isBlocked ? detachWebAcl(facts) : []), tellClients],
  };
}

function throttled({ throttled: groups, firingOf }: TriageFacts): Problem | undefined {
  if (!firingOf('MostRequestsThrottled') && !firingOf('RequestsThrottled')) return undefined;
  const [most] = sumBy(groups, ({ client }) => client);
  if (!most) return undefined;
  const one = most.count * 2 > sumOf(groups) ? most.value : '';
  const who = one ? `ask ${one} to slow down, or revoke its key` : 'see who sends them';
  return {
    says: `${count(sumOf(groups))} requests got a 429, ${one ? `most of them of ${one}` : 'of no single client'}.`,
    next: [{ text: `${who}: docs/runbook.md#requests-are-throttled` }],
  };
}

function someKeysRefused(facts: TriageFacts): Problem | undefined {
  const { keys, isAll } = facts.refused;
  if (keys.length === 0 || isAll) return undefined;
  const clients = [...new Set(keys.map(({ client }) => client))].slice(0, 5).join(', ');
  return {
    says: `Keys that were served are refused: ${keys.length}, of ${clients}. They expired or were revoked.`,
    next: [listKeys(facts, 'see which of the two, and contact the client')],
  };
}

function requestsRejected({ rejected }: TriageFacts): Problem | undefined {
  const [most] = rejected;
  if (!most) return undefined;
  const calls = rejected.map(({ call }) => call).slice(0, 5);
  return {
    says: `Most requests of ${calls.join(', ')} are rejected, unlike before.`,
    since: most.first,
    next: [{ text: 'tell the client what is wrong: docs/runbook.md#requests-are-rejected' }],
  };
}

/** Nobody has used these keys in a day, so that no client is affected. */
function madeUpKeys({ requests = [], log, earlier, refused, firingOf }: TriageFacts): Problem | undefined {
  if (!firingOf('KeysRefused') || !log || !earlier || refused.keys.length > 0) return undefined;
  const denied = requests.filter(({ responseType }) => responseType === 'ACCESS_DENIED');
  return {
    says: `Made-up keys: none of those in ${count(sumOf(denied))} refused requests was served in a day. Clients do not notice.`,
    next: [{ text: 'nothing to do' }],
  };
}

/** What could not be read may hide a problem. */
function unread({ alarms, requests, log, tables }: TriageFacts): Problem | undefined {
  const names = Object.entries({ alarms, requests, log, tables }).flatMap(([name, read]) =>
    read ? [] : [name],
  );
  if (names.length === 0) return undefined;
  return {
    says: `The figures allow no conclusion: ${names.join(', ')} could not be read.`,
    next: [secondPerson],
  };
}

/** An alarm whose cause leaves no other trace, such as slow responses. */
function otherAlarm({ firing: [alarm] }: TriageFacts): Problem | undefined {
  if (!alarm) return undefined;
  const { name, since, section } = alarm;
  // The rest is what the e-mail has said.
  const [meaning] = alarm.meaning.split(/(?<=\.) /);
  return {
    says: `${name}: ${meaning}`,
    since,
    within: 120,
    isUnexplained: true,
    next: section === 'a-page' ? [secondPerson, tellClients] : [{ text: `see docs/runbook.md#${section}` }],
  };
}

const nothing: Problem = {
  says: 'Nothing is wrong, as far as the figures show it, which do not show wrong answers.',
  next: [{ text: 'if a client reports a problem: docs/runbook.md#a-client-reports-a-problem' }],
};
