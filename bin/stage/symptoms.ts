import { keyPrefixOf } from '../../infra/key-prefix.ts';
import { stackName } from '../../infra/stack-names.ts';
import { changesBefore, damagedItems, failingRequests, lostIndex, tellClients } from './causes.ts';
import { baseUrlOf } from './read-stage.ts';
import { count, type Finding, finding, formatTime, percent, type Step, step } from './report.ts';
import { requestsOf, totalBy } from './requests.ts';
import { keysId } from './tables.ts';
import { recentMinutes, type Seen } from './triage-facts.ts';

type Find = (seen: Seen) => Finding | undefined;

/** Why requests fail or are not served. The first one explains those after it. */
const outages: readonly Find[] = [
  lostTable,
  lostIndex,
  wrongTable,
  noLog,
  failingRequests,
  (seen) => (seen.allRefusedSince ? keysRefused(seen) : undefined),
  (seen) => certificate(seen, 'CertificateExpiresSoon'),
  nothingServed,
];

/** What can happen beside an outage, and beside each other. */
const others: readonly Find[] = [
  webAclBlocks,
  throttled,
  (seen) => (seen.allRefusedSince ? undefined : keysRefused(seen)),
  rejectedClients,
  (seen) => (seen.isMuch ? undefined : damagedItems(seen)),
  madeUpKeys,
  (seen) => certificate(seen, 'CertificateExpires'),
  notifications,
  webAclDetached,
];

/** Returns what the facts show, the most important first. */
export function findingsOf(seen: Seen): readonly Finding[] {
  const [outage] = outages.flatMap((find) => find(seen) ?? []);
  const found = [...(outage ? [outage] : []), ...others.flatMap((find) => find(seen) ?? [])];
  return found.length > 0 ? found : [nothingFound(seen)];
}

function lostTable({ tables, stage }: Seen): Finding | undefined {
  const lost = tables?.find(({ table }) => !table);
  return (
    lost &&
    finding(
      `The table of ${lost.id} does not exist any more: ${lost.name}.`,
      step('restore', 'restore it', `npm run stage -- restore ${stage} --table ${lost.id}`),
      tellClients,
    )
  );
}

/** All keys are refused since a release, and there is a table that the stack or an earlier release used. */
function wrongTable(seen: Seen): Finding | undefined {
  const { stage, tables = [], releases = [], allRefusedSince, refused } = seen;
  const used = tables.find(({ id }) => id === keysId);
  const [latest, before] = releases;
  const others = used?.others.filter(
    ({ name }) => name.startsWith(`${stackName(stage)}-Tables`) || latest?.tables !== before?.tables,
  );
  if (!used?.table || !others?.length || !allRefusedSince) return undefined;
  const release = changesBefore(seen, allRefusedSince, 60).find(({ isRelease }) => isRelease);
  const names = others.map(({ name, table }) => `${name} (${count(table?.ItemCount ?? 0)} items)`);
  return (
    release &&
    finding(
      `All ${refused.length} known keys are refused since ${release.text}: it uses another table, ${used.name}, not ${names.join(' or ')}. Nothing is lost: do not restore.`,
      release.next,
      tellClients,
    )
  );
}

function noLog(seen: Seen): Finding | undefined {
  const { requests, recent, recentlyCounted } = seen;
  if (!requests || recent.length > 0 || recentlyCounted < 5) return undefined;
  return finding(
    `The access log is empty, though API Gateway counted ${count(recentlyCounted)} requests in ${recentMinutes(seen)} minutes. How they ended is not known.`,
    step(
      'on-call',
      'is this a role of this stack? docs/runbook.md#the-access-log-is-empty',
      'aws apigateway get-account',
    ),
  );
}

function webAclBlocks({ blocked: { groups, total, isUnusual } }: Seen): Finding | undefined {
  if (!isUnusual) return undefined;
  const [[status] = ['']] = totalBy(
    groups,
    ({ status }) => `${status}`,
    ({ requests }) => requests,
  );
  return finding(
    `The web ACL blocks ${count(total)} requests, mostly with a ${status}: clients' or a flood's, the figures do not show which.`,
    { text: 'see which rule blocks them: docs/runbook.md#the-web-acl-blocks-clients' },
  );
}

function throttled({ throttled: { groups, total, isUnusual } }: Seen): Finding | undefined {
  if (!isUnusual) return undefined;
  const [name = '', requests = 0] =
    totalBy(
      groups,
      ({ client }) => client,
      (group) => group.requests,
    )[0] ?? [];
  const isOne = name !== '' && requests > total / 2;
  return finding(
    `${count(total)} requests got a 429, ${isOne ? `most of them of ${name}` : 'of no single client'}.`,
    {
      text: `${isOne ? `ask ${name} to slow down, or revoke its key` : 'see who sends them'}: docs/runbook.md#requests-are-throttled`,
    },
  );
}

/** Keys that were served, and that have expired, were revoked or are lost, or that a release denies. */
function keysRefused(seen: Seen): Finding | undefined {
  const { refused, allRefusedSince, stage } = seen;
  const [key] = refused;
  if (!key) return undefined;
  const clients = [...new Set(refused.map(({ client }) => client))].slice(0, 5).join(', ');
  const list = step(
    'keys',
    'see which of the two, and contact the client',
    `npm run keys -- list --stage ${stage} --client ${key.client}`,
  );
  if (!allRefusedSince) {
    return finding(
      `Keys that were served are refused: ${refused.length}, of ${clients}. They expired or were revoked.`,
      list,
    );
  }
  const [change] = changesBefore(seen, allRefusedSince, 60);
  return finding(
    `All ${refused.length} known keys are refused since ${formatTime(allRefusedSince)}${change ? `, soon after ${change.text}` : ''}.`,
    ...(change ? [change.next] : []),
    { ...list, text: 'see the keys. If none is listed, their table was emptied: docs/restore.md' },
    tellClients,
  );
}

function rejectedClients(seen: Seen): Finding | undefined {
  const { rejectedClients } = seen;
  const [first] = rejectedClients;
  if (!first) return undefined;
  const calls = rejectedClients.slice(0, 5).map(({ client, operation }) => `${operation} by ${client}`);
  const [change] = first.first ? changesBefore(seen, first.first, 60) : [];
  return finding(
    `Most requests of ${calls.join(', ')} are rejected, unlike before${change ? `, soon after ${change.text}` : ''}.`,
    change?.next ?? { text: `tell the client what is wrong: docs/runbook.md#requests-are-rejected` },
  );
}

function nothingServed(seen: Seen): Finding | undefined {
  const { requests, recent, earlier = [], served, stage, lastServed } = seen;
  const minutes = recentMinutes(seen);
  const usual = (requestsOf(earlier) * minutes) / (24 * 60);
  if (!requests || (served > 0 && usual < 3)) return undefined;
  // They explain it.
  if (seen.blocked.isUnusual || seen.throttled.isUnusual) return undefined;
  if (lastServed && lastServed.getTime() >= seen.now.getTime() - minutes * 60_000) return undefined;
  const [change] = lastServed ? changesBefore(seen, lastServed, 60) : [];
  const arrived = requestsOf(recent);
  return finding(
    `No request was served in ${minutes} minutes${change ? `, soon after ${change.text}` : ''}. ${count(arrived)} arrived${change ? '' : '; the figures do not show why no others'}.`,
    ...(change ? [change.next] : []),
    {
      text: 'ask from outside AWS. What the answer means: docs/runbook.md#nothing-is-served',
      commands: [`BASE_URL=${baseUrlOf(seen)} API_KEY=${keyPrefixOf(stage)}… npm run smoke`],
    },
    tellClients,
  );
}

/** Nobody has used these keys in a day, so that no client is affected. */
function madeUpKeys({ firing, denied, refused, log, earlier }: Seen): Finding | undefined {
  const isFiring = firing.some(({ name }) => /^(KeysRefused|keys-are-refused)/.test(name));
  if (!(isFiring || denied.isUnusual) || !log || !earlier || refused.length > 0 || denied.total === 0)
    return undefined;
  return finding(
    `Made-up keys: none of those in ${count(denied.total)} refused requests was served in a day. Clients do not notice.`,
    { text: 'nothing to do' },
  );
}

function certificate({ firing, settings: { domain } }: Seen, alarm: string): Finding | undefined {
  const isFiring = (name: string) => firing.some((alarm) => alarm.name === name);
  if (!domain || !isFiring(alarm) || (alarm === 'CertificateExpires' && isFiring('CertificateExpiresSoon')))
    return undefined;
  return finding(
    `ACM has not renewed the certificate of ${domain.name}: when it expires, no client can connect.`,
    step(
      'on-call',
      'see why: docs/runbook.md#the-certificate-expires',
      `aws acm describe-certificate --certificate-arn ${domain.certificateArn} --query 'Certificate.[Type,Status,NotAfter,InUseBy,RenewalSummary,DomainValidationOptions]'`,
    ),
  );
}

function notifications({ firing, stack }: Seen): Finding | undefined {
  if (!firing.some(({ name }) => name === 'NotificationsFail')) return undefined;
  return finding(
    'SNS could not deliver a page or a ticket today. Clients notice nothing.',
    step(
      'on-call',
      'see who is subscribed: docs/runbook.md#nobody-was-paged',
      ...['PageTopicArn', 'TicketTopicArn'].map(
        (output) =>
          `aws sns list-subscriptions-by-topic --topic-arn ${stack?.outputs[output]} --query 'Subscriptions[].[Protocol,SubscriptionArn]' --output text`,
      ),
    ),
  );
}

function webAclDetached({ apiStage, settings }: Seen): Finding | undefined {
  return apiStage && settings.fairUse && !apiStage.webAclArn
    ? finding('The web ACL is detached: nothing limits a single key or address.', {
        text: 'attach it again: docs/runbook.md#the-web-acl-blocks-clients',
      })
    : undefined;
}

/** No symptom: an alarm may fire all the same, and what could not be read may hide one. */
function nothingFound(seen: Seen): Finding {
  const { firing, alarms, requests, log, tables, served, failed, share } = seen;
  const unread = Object.entries({ alarms, requests, log, tables }).flatMap(([name, read]) =>
    read ? [] : [name],
  );
  if (unread.length > 0) {
    return finding(`The figures allow no conclusion: ${unread.join(', ')} could not be read.`, dashboard);
  }
  const [alarm] = firing;
  if (alarm) {
    const [change] = alarm.since ? changesBefore(seen, alarm.since, 120) : [];
    return finding(
      `${alarm.name} fires${alarm.since ? ` since ${formatTime(alarm.since)}` : ''}${change ? `, after ${change.text}` : '; the figures do not show why'}.`,
      ...(change ? [change.next] : []),
      dashboard,
    );
  }
  return finding(
    `Nothing is wrong, as far as the figures show it: ${count(served)} requests were served, ${count(failed.total)} (${percent(share)}) failed, as before.`,
    {
      text: 'they do not show wrong answers. If a client reports a problem: docs/runbook.md#a-client-reports-a-problem',
    },
  );
}

const dashboard: Step = {
  text: 'look at the dashboard and its runbook section; after 15 minutes without a cause, wake the second person: docs/runbook.md#a-page',
};
