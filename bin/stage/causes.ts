import { keyPrefixOf } from '../../infra/key-prefix.ts';
import { stackName } from '../../infra/stack-names.ts';
import { damagedItemMessage } from '../../shared/tables/stored-item.ts';
import { namesOf, type TableDefinition } from '../../shared/tables/table.ts';
import { type Answer, answer, count, formatTime, percent, quoted, type Step, step } from './report.ts';
import { isServed, type LogGroup, type RequestGroup, requestsOf, totalBy } from './requests.ts';
import { keysId } from './tables.ts';
import { expiresSoon, recentMinutes, type Seen } from './triage-facts.ts';

/** Returns the likeliest cause, which is the first that the facts show. */
export function causeOf(seen: Seen): Answer {
  for (const find of causes) {
    const cause = find(seen);
    if (cause) return cause;
  }
  return unknown(seen);
}

const causes: readonly ((seen: Seen) => Answer | undefined)[] = [
  lostTable,
  wrongTable,
  lostIndex,
  damagedItem,
  notAuthorized,
  (seen) => soonAfter(seen, 15),
  notRun,
  database,
  (seen) => soonAfter(seen, 60),
  webAcl,
  throttled,
  keysRefused,
  noLog,
  nothingServed,
  madeUpKeys,
  certificateExpires,
];

/** All keys are refused since a release, and there is a table that the stack or an earlier release used. */
function wrongTable(seen: Seen): Answer | undefined {
  const { stage, tables = [], releases = [], allRefusedSince, refused } = seen;
  const used = tables.find(({ id }) => id === keysId);
  const [latest, before] = releases;
  const others = used?.others.filter(
    ({ name }) => name.startsWith(`${stackName(stage)}-Tables`) || latest?.tables !== before?.tables,
  );
  if (!used?.table || !others?.length || !allRefusedSince) return undefined;
  if (!eventsBefore(seen, allRefusedSince, 60).some(({ isRelease }) => isRelease)) return undefined;
  const names = others.map(({ name, table }) => `${name} with ${count(table?.ItemCount ?? 0)} items`);
  return answer(
    `The stage seems to use the wrong table of ${used.id}, ${used.name}: none of the keys that were served before (${refused.length}) is accepted, and it does not use ${names.join(', ')}. Then nothing is lost: a setting has changed. Do not restore.`,
    rollback(seen),
    tellClients,
  );
}

function lostTable(seen: Seen): Answer | undefined {
  const lost = seen.tables?.find(({ table }) => !table);
  if (!lost) return undefined;
  return answer(
    `The table of ${lost.id}, ${lost.name}, does not exist any more. ${failing(seen)}.`,
    step(
      'restore',
      'see where the table stands, and how to restore it',
      `npm run stage -- restore ${seen.stage}`,
    ),
    tellClients,
  );
}

function lostIndex({ tables = [], stage }: Seen): Answer | undefined {
  for (const { name, table, definition } of tables) {
    for (const [index, key] of Object.entries(definition.indexes)) {
      const found = table?.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === index);
      if (found?.IndexStatus === 'ACTIVE') continue;
      const conclusion = `Lists that use the index ${index} of ${name} fail, because it is ${found?.IndexStatus ?? 'gone. No deploy recreates it'}.`;
      return answer(
        conclusion,
        found ? lookAgain(stage) : createIndex(name, index, namesOf(key), definition),
      );
    }
  }
  return undefined;
}

function createIndex(
  table: string,
  IndexName: string,
  names: readonly string[],
  { keyTypes }: TableDefinition,
): Step {
  const attributes = names.map((name) => `AttributeName=${name},AttributeType=${keyTypes[name]}`);
  const KeySchema = names.map((AttributeName, place) => ({
    AttributeName,
    KeyType: place === 0 ? 'HASH' : 'RANGE',
  }));
  const updates = [{ Create: { IndexName, KeySchema, Projection: { ProjectionType: 'ALL' } } }];
  return step(
    'administrator',
    'recreate the index',
    `aws dynamodb update-table --table-name ${table} --attribute-definitions ${attributes.join(' ')} --global-secondary-index-updates ${quoted(JSON.stringify(updates))}`,
  );
}

/** Items that the service would not have written, if they are what most failures come from. */
function damagedItem(seen: Seen): Answer | undefined {
  const damaged = seen.failures.flatMap((group) => (group.damaged ? [{ ...group, ...group.damaged }] : []));
  const [item] = damaged;
  const others = seen.failures.filter(({ damaged, text }) => !damaged && text !== damagedItemMessage);
  if (!item || (seen.isMuch && linesOf(others) > linesOf(damaged))) return undefined;
  const items = new Set(damaged.map(({ table, key }) => `${table} ${key}`));
  const latest = eventsBefore(seen, item.first, 60).find(({ isRelease }) => isRelease);
  const { name, definition } = seen.tables?.find(({ id }) => id === item.table) ?? {};
  const values = item.key.split(',');
  const names = definition ? namesOf(definition.key) : [];
  const key = names.map((attribute, place) => [
    attribute,
    Object.fromEntries([[definition?.keyTypes[attribute], values[place]]]),
  ]);
  const repair = onCall(
    `write it to a file, correct these attributes, and put it back: docs/runbook.md#a-damaged-item`,
    `aws dynamodb get-item --table-name ${name} --key ${quoted(JSON.stringify(Object.fromEntries(key)))} --query Item --output json > item.json`,
  );
  return {
    conclusion: `Damaged items fail: ${[...items].slice(0, 5).join(', ')}, with wrong ${item.attributes}. ${failing(seen)}. ${latest ? `If the release of ${formatTime(latest.at)} wrote them, go back first.` : 'Find out what wrote them before you repair several.'}`,
    steps: latest ? [rollback(seen), repair] : [repair],
  };
}

/** A permission is missing, which the error names. */
function notAuthorized(seen: Seen): Answer | undefined {
  const denied = seen.failures.filter(({ text }) => notAuthorizedText.test(text));
  if (!seen.isMuch || linesOf(denied) * 2 < linesOf(seen.failures)) return undefined;
  const [first] = denied;
  const [event] = seen.began ? eventsBefore(seen, seen.began, 60) : [];
  return answer(
    `${first?.function} logs that its function is ${notAuthorizedText.exec(first?.text ?? '')?.[0]}. ${failing(seen)}${event ? `, soon after ${event.text}` : ''}.`,
    event?.step ?? drift(seen),
  );
}

const notAuthorizedText = /not authorized to perform: \S+(?: on resource: \S+)?/;

/** A release or a change by hand before requests began to fail, or a client to be rejected. */
function soonAfter(seen: Seen, minutes: number): Answer | undefined {
  const began = beganOf(seen);
  const [event] = began ? eventsBefore(seen, began, minutes) : [];
  return event && answer(`${symptomOf(seen)}, soon after ${event.text}.`, event.step);
}

/** Returns releases and changes by hand in the minutes before a time, the nearest first. */
function eventsBefore(seen: Seen, time: Date, minutes: number) {
  const { releases = [], byHand } = seen;
  const isKnown = (commit: string, older: readonly { commit: string }[]) =>
    older.some((release) => release.commit === commit);
  const ofReleases = releases.flatMap(({ commit, at }, index) => {
    const older = releases.slice(index + 1);
    // A, B, A: the stage went back to A, which is not to blame.
    if (isKnown(commit, older)) return [];
    const isLeft = isKnown(releases[0]?.commit ?? '', older);
    const text = `the release of ${commit.slice(0, 12)} at ${formatTime(at)}${isLeft ? ', which is not deployed any more' : ''}`;
    return [{ at, text, step: rollback(seen), isRelease: true }];
  });
  const changes = (byHand?.changes ?? []).map(({ at, who, what, on }) => ({
    at,
    text: `${who} called ${what} on ${on} at ${formatTime(at)}`,
    step: drift(seen),
    isRelease: false,
  }));
  const distance = ({ at }: { at: Date }) => Math.abs(time.getTime() - at.getTime());
  // A release records itself some minutes before or after its functions serve.
  return [...ofReleases, ...changes]
    .filter(({ at }) => time.getTime() > at.getTime() - 5 * minute)
    .filter((event) => distance(event) < minutes * minute)
    .toSorted((a, b) => distance(a) - distance(b));
}

/** Lambda refuses to run a function: API Gateway gets a 429, and the authorizer's failure has no log. */
function notRun(seen: Seen): Answer | undefined {
  const refused = seen.failed.filter(({ integrationStatus }) => integrationStatus === '429');
  const [name, times] = seen.throttles?.find(([name, total]) => total > 0 && !isTable(seen, name)) ?? [];
  if (name === undefined && refused.length === 0) return undefined;
  return answer(
    `Lambda refuses to run ${name ?? 'a function'}${times ? ` (${count(times)} times)` : ''}: its reserved concurrency, or that of the account, is used up. ${failing(seen)}.`,
    name === undefined
      ? { text: `see which function, and why: docs/runbook.md#functions-or-tables-are-throttled` }
      : onCall(
          `compare the reservation with the template: docs/runbook.md#functions-or-tables-are-throttled`,
          `aws lambda get-function-concurrency --function-name ${name}`,
        ),
  );
}

function database(seen: Seen): Answer | undefined {
  const unavailable = seen.failures.filter(({ code }) => code === 'service_unavailable');
  if (linesOf(unavailable) <= linesOf(seen.failures) / 2) return undefined;
  const throttled = seen.throttles?.find(([name, total]) => total > 0 && isTable(seen, name));
  const errors = totalBy(
    unavailable,
    ({ error }) => error,
    ({ lines }) => lines,
  ).map(([error]) => error);
  return answer(
    throttled
      ? `DynamoDB throttles ${throttled[0]} (${count(throttled[1])} times). ${failing(seen)}.`
      : `DynamoDB is slow or fails (${errors.join(', ')}), although its tables are there. ${failing(seen)}${before(seen)}.`,
    throttled
      ? {
          text: `stop imports. DynamoDB splits the partition: docs/runbook.md#functions-or-tables-are-throttled`,
        }
      : { text: 'see whether AWS reports it, and wait: https://health.aws.amazon.com/health/status' },
    tellClients,
  );
}

function webAcl(seen: Seen): Answer | undefined {
  const { blocked, earlier = [], served } = seen;
  const before = requestsOf(earlier.filter(({ waf }) => waf === 'WAF_BLOCK'));
  const perHour = (before * seen.minutes) / (24 * 60);
  if (requestsOf(blocked) <= Math.max(10, served / 10, 3 * perHour)) return undefined;
  const [status] = totalBy(
    blocked,
    ({ status }) => `${status}`,
    ({ requests }) => requests,
  )[0] ?? [''];
  return answer(
    `The web ACL blocks ${count(requestsOf(blocked))} requests, mostly with a ${status}. The figures do not show whether they are clients' or a flood's.`,
    { text: `see which rule blocks them: docs/runbook.md#the-web-acl-blocks-clients` },
  );
}

function throttled(seen: Seen): Answer | undefined {
  const { throttled, served } = seen;
  if (requestsOf(throttled) <= Math.max(5, served / 20)) return undefined;
  const [name = '', requests = 0] = totalBy(throttled, clientOf, (group) => group.requests)[0] ?? [];
  const isOne = name !== '' && requests > requestsOf(throttled) / 2;
  return answer(
    `${count(requestsOf(throttled))} requests are above the limits of the operations, ${isOne ? `most of them of ${name}` : 'of no single client'}. API Gateway may leave some out of the log.`,
    {
      text: isOne
        ? `contact ${name}: docs/runbook.md#requests-are-throttled`
        : `see who sends them: docs/runbook.md#requests-are-throttled`,
    },
  );
}

function keysRefused(seen: Seen): Answer | undefined {
  const { refused, denied, stage } = seen;
  const [key] = refused;
  if (!key) return undefined;
  const clients = [...new Set(refused.map(({ client }) => client))];
  return answer(
    `Keys that were served before are refused: ${refused.length}, of ${clients.slice(0, 5).join(', ')} (${count(requestsOf(denied))} requests with refused keys in all). They have expired or were revoked; which of the two, the log does not say.`,
    step(
      'keys',
      'see the state of the keys, and contact the client',
      `npm run keys -- list --stage ${stage} --client ${key.client}`,
    ),
  );
}

function noLog(seen: Seen): Answer | undefined {
  const { requests, recent, recentlyCounted } = seen;
  if (!requests || recent.length > 0 || recentlyCounted < 5) return undefined;
  return answer(
    `API Gateway counts ${count(recentlyCounted)} requests in the last ${recentMinutes(seen)} minutes, but the access log has none, so nothing here shows how they end.`,
    onCall(
      `find out whose role API Gateway logs with: docs/runbook.md#the-access-log-is-empty`,
      'aws apigateway get-account',
    ),
  );
}

function nothingServed(seen: Seen): Answer | undefined {
  const { requests, recent, earlier = [], served, stage, baseUrl } = seen;
  const minutes = recentMinutes(seen);
  const usual = (requestsOf(earlier) * minutes) / (24 * 60);
  if (!requests || recent.some((group) => isServed(group) && group.status < 500)) return undefined;
  if (served > 0 && usual < 3) return undefined;
  return answer(
    `No request was served in the last ${minutes} minutes, and ${count(requestsOf(earlier))} arrived in the day before. The figures do not show whether DNS or the network fails, or whether clients send nothing.`,
    {
      text: `ask from outside AWS, at the address that clients use. What each answer means: docs/runbook.md#nothing-is-served`,
      commands: [`BASE_URL=${baseUrl} API_KEY=${keyPrefixOf(stage)}… npm run smoke`],
    },
  );
}

/** Nobody has used these keys in a day, so that no client is affected. */
function madeUpKeys({ alarms = [], denied, refused, log, earlier }: Seen): Answer | undefined {
  const isFiring = alarms.some(({ name, state }) => name === 'KeysRefused' && state === 'ALARM');
  if (!isFiring || !log || !earlier || refused.length > 0 || denied.length === 0) return undefined;
  return answer(
    `Made-up keys: none of those in the ${count(requestsOf(denied))} requests with refused keys was served in a day. Clients are not affected.`,
    { text: 'nothing to do' },
  );
}

function certificateExpires({ certificate, now }: Seen): Answer | undefined {
  const until = certificate?.NotAfter;
  if (!until || !expiresSoon(until, now)) return undefined;
  return answer(
    `The domain's certificate ${until < now ? 'has expired' : 'expires'}: ${formatTime(until)}.`,
    onCall(
      `see why it was not renewed: docs/runbook.md#the-certificate-expires`,
      `aws acm describe-certificate --certificate-arn ${certificate.CertificateArn} --query 'Certificate.[Type,Status,NotAfter,InUseBy,RenewalSummary,DomainValidationOptions]'`,
    ),
  );
}

function unknown(seen: Seen): Answer {
  const { isMuch, served, alarms, requests, log, tables, began, stage } = seen;
  const firing = alarms?.filter(({ state }) => state === 'ALARM') ?? [];
  const unread = Object.entries({ alarms, requests, log, tables }).flatMap(([name, read]) =>
    read ? [] : [name],
  );
  if (unread.length > 0 && !isMuch) {
    return answer(`The figures allow no conclusion: ${unread.join(', ')} could not be read.`, {
      text: 'see below why, and look at the dashboard',
    });
  }
  if (!isMuch && firing.length === 0) {
    return answer(
      `Nothing is wrong, as far as these figures show it: ${count(served)} requests were served. ${failing(seen)}. They do not show whether the answers are right, or what does not arrive.`,
      { text: `if a client reports a problem: docs/runbook.md#a-client-reports-a-problem` },
    );
  }
  return answer(
    `The figures allow no conclusion. ${failing(seen)}${before(seen)}.`,
    ...(isMuch && !began
      ? [
          onCall(
            'look further back',
            `npm run stage -- triage ${stage} --minutes ${Math.min(24 * 60, 4 * seen.minutes)}`,
          ),
        ]
      : []),
    { text: 'look at the dashboard and at the errors below, and wake a second person after 15 minutes' },
    tellClients,
  );
}

const minute = 60 * 1000;

const onCall = (text: string, ...commands: string[]) => step('on-call', text, ...commands);

const rollback = ({ stage }: Seen) =>
  onCall('see how to go back to the release before', `npm run stage -- rollback ${stage}`);

const lookAgain = (stage: string) => onCall('wait, and look again', `npm run stage -- triage ${stage}`);

const tellClients: Step = { text: `tell clients: docs/runbook.md#tell-clients` };

const drift = ({ stage }: Seen) =>
  onCall(
    'see what differs from the template. An administrator undoes it by hand, because a deploy does not',
    `npx cdk drift ${stackName(stage)}`,
  );

function failing(seen: Seen): string {
  const { failed, share } = seen;
  if (failed.length === 0) return 'No request fails';
  return `${count(requestsOf(failed))} requests (${percent(share)}) have failed ${sinceOf(seen)}`;
}

/** Since when requests fail. */
export function sinceOf({ isMuch, counted, began, now, minutes }: Seen): string {
  if (!isMuch) return 'as before';
  if (!counted) return `in the last ${minutes} minutes`;
  return began
    ? `since ${formatTime(began)}`
    : `at least since ${formatTime(new Date(now.getTime() - minutes * minute))}`;
}

/** What is known of the hour before requests began to fail, where a release or a change by hand was not found. */
function before({ releases, byHand, isMuch, began }: Seen): string {
  if (!isMuch) return '';
  return began && releases && byHand?.isComplete
    ? ', after no release and no change by hand within the hour'
    : '; whether a release or a change by hand came before is not known';
}

const clientOf = ({ client }: RequestGroup) => client;

const linesOf = (groups: readonly LogGroup[]) => groups.reduce((sum, { lines }) => sum + lines, 0);

const isTable = ({ tables = [] }: Seen, name: string) => tables.some((table) => table.name === name);

/** When requests began to fail, or else when keys or a client began to be refused. */
const beganOf = ({ isMuch, began, allRefusedSince, rejectedClients }: Seen): Date | undefined =>
  isMuch ? began : (allRefusedSince ?? rejectedClients[0]?.first);

function symptomOf(seen: Seen): string {
  if (seen.isMuch) return failing(seen);
  if (seen.allRefusedSince)
    return `None of the keys that were served before (${seen.refused.length}) is accepted`;
  const calls = seen.rejectedClients.map(({ client, operation }) => `${operation} by ${client}`);
  return `Most requests of ${calls.join(', ')} are rejected, unlike before`;
}
