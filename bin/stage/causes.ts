import { stackName } from '../../infra/stack-names.ts';
import { damagedItemMessage } from '../../shared/tables/stored-item.ts';
import { namesOf, type TableDefinition } from '../../shared/tables/table.ts';
import { count, type Finding, formatTime, percent, quoted, type Step, step } from './report.ts';
import { type LogGroup, requestsOf, totalBy } from './requests.ts';
import type { Seen } from './triage-facts.ts';

/** A release or a change by hand, and what to do if it is to blame. */
export interface Change {
  readonly at: Date;
  readonly isRelease: boolean;
  readonly text: string;
  readonly next: Step;
}

/** Returns releases and changes by hand in the minutes before a time, the nearest first. */
export function changesBefore(seen: Seen, time: Date, minutes: number): readonly Change[] {
  const { releases = [], byHand, stage } = seen;
  const isKnown = (commit: string, older: readonly { commit: string }[]) =>
    older.some((release) => release.commit === commit);
  const ofReleases = releases.flatMap(({ commit, at }, index) => {
    const older = releases.slice(index + 1);
    // A, B, A: the stage went back to A, which is not to blame.
    if (isKnown(commit, older)) return [];
    const isLeft = isKnown(releases[0]?.commit ?? '', older);
    const text = `the release of ${commit.slice(0, 12)} at ${formatTime(at)}${isLeft ? ', which is not deployed any more' : ''}`;
    const next = step('on-call', 'go back', `npm run stage -- rollback ${stage}`);
    return [{ at, text, next, isRelease: true }];
  });
  const changes = (byHand?.changes ?? []).map(({ at, who, what, on }) => ({
    at,
    text: `${who} called ${what} on ${on}`,
    next: drift(seen),
    isRelease: false,
  }));
  const distance = ({ at }: { at: Date }) => Math.abs(time.getTime() - at.getTime());
  // A release records itself some minutes before or after its functions serve.
  return [...ofReleases, ...changes]
    .filter(({ at }) => time.getTime() > at.getTime() - 5 * 60_000)
    .filter((change) => distance(change) < minutes * 60_000)
    .toSorted((a, b) => distance(a) - distance(b));
}

const drift = ({ stage }: Seen) =>
  step('on-call', 'let an administrator undo it, which no deploy does', `npx cdk drift ${stackName(stage)}`);

export const tellClients: Step = { text: 'tell clients: docs/runbook.md#tell-clients' };

/** Why most requests fail, as the log and the metrics say it. */
interface Cause {
  readonly says: string;
  readonly next: readonly Step[];
  /** What else may be behind it: any change, or only a release right before. */
  readonly isChange: boolean;
}

/** Says what makes requests fail, if more do than usual. */
export function failingRequests(seen: Seen): Finding | undefined {
  const { isMuch, began, byHand, releases } = seen;
  if (!isMuch) return undefined;
  const cause = damagedItems(seen) ?? notAuthorized(seen) ?? notRun(seen) ?? databaseFails(seen);
  const changes = began
    ? changesBefore(seen, began, !cause || cause.isChange ? 60 : 15).filter(
        ({ isRelease }) => isRelease || !cause || cause.isChange,
      )
    : [];
  const [change] = changes;
  const after = change ? `, soon after ${change.text}` : '';
  const says = `${failing(seen)}${after}.${cause ? ` ${cause.says}` : ''}`;
  if (cause || change) {
    // If the nearest change is not to blame, one of the other kind may be.
    const steps = [...changes.map(({ next }) => next), ...(cause?.next ?? []), tellClients];
    return { says, next: [...new Map(steps.map((step) => [step.text, step])).values()] };
  }
  const isKnown = began && releases && byHand?.isComplete;
  return {
    says: `${says} The figures do not show why${isKnown ? ': no release and no change by hand came within the hour before' : '; what changed before is not known'}.`,
    next: [
      { text: 'wake the second person, and look for what changed: docs/runbook.md#a-page' },
      tellClients,
    ],
  };
}

function failing({ share, counted, began, minutes }: Seen): string {
  if (began) return `${percent(share)} of requests fail since ${formatTime(began)}`;
  return `${percent(share)} of requests failed in ${minutes} minutes${counted ? ', and before' : ''}`;
}

/** Items that the service would not have written, if they are what most failures come from. */
export function damagedItems({ isMuch, failures, tables }: Seen): Cause | undefined {
  const damaged = failures.flatMap((group) => (group.damaged ? [{ ...group, ...group.damaged }] : []));
  const [item] = damaged;
  const others = failures.filter(({ damaged, text }) => !damaged && text !== damagedItemMessage);
  if (!item || (isMuch && linesOf(others) > linesOf(damaged))) return undefined;
  const items = new Set(damaged.map(({ table, key }) => `${table} ${key}`));
  const { name, definition } = tables?.find(({ id }) => id === item.table) ?? {};
  const values = item.key.split(',');
  const key = (definition ? namesOf(definition.key) : []).map((attribute, place) => [
    attribute,
    Object.fromEntries([[definition?.keyTypes[attribute], values[place]]]),
  ]);
  return {
    says: `Damaged items: ${[...items].slice(0, 5).join(', ')}, with wrong ${item.attributes}. Other requests are fine.`,
    next: [
      step(
        'on-call',
        'repair what the command writes to a file: docs/runbook.md#a-damaged-item',
        `aws dynamodb get-item --table-name ${name} --key ${quoted(JSON.stringify(Object.fromEntries(key)))} --query Item --output json > item.json`,
      ),
    ],
    isChange: false,
  };
}

const notAuthorizedText = /not authorized to perform: \S+/;

/** A permission is missing, which the error names. */
function notAuthorized(seen: Seen): Cause | undefined {
  const { failures } = seen;
  const denied = failures.filter(({ text }) => notAuthorizedText.test(text));
  const [first] = denied;
  if (!first || linesOf(denied) * 2 < linesOf(failures)) return undefined;
  const [text] = notAuthorizedText.exec(first.text) ?? [];
  return { says: `A function is ${text}.`, next: [drift(seen)], isChange: true };
}

/** Lambda refuses to run a function: API Gateway gets a 429, and the authorizer's failure has no log. */
function notRun({ failed, throttles = [], tables = [] }: Seen): Cause | undefined {
  const refused = failed.groups.filter(
    ({ integrationStatus, responseType }) => integrationStatus === '429' || /^AUTHORIZER_/.test(responseType),
  );
  const [name, times = 0] =
    throttles.find(([name, total]) => total > 0 && !tables.some((table) => table.name === name)) ?? [];
  if (Math.max(times, requestsOf(refused)) * 2 < failed.total || name === undefined) return undefined;
  return {
    says: `Lambda refused ${count(times)} times to run ${name}: its reserved concurrency, or the account's, is used up.`,
    next: [
      step(
        'on-call',
        'compare its reservation with the template: docs/runbook.md#functions-or-tables-are-throttled',
        `aws lambda get-function-concurrency --function-name ${name}`,
      ),
    ],
    isChange: false,
  };
}

function databaseFails({ failures, throttles = [], tables = [] }: Seen): Cause | undefined {
  const unavailable = failures.filter(({ code }) => code === 'service_unavailable');
  if (linesOf(unavailable) * 2 <= linesOf(failures)) return undefined;
  const [name, times = 0] =
    throttles.find(([name, total]) => total > 0 && tables.some((table) => table.name === name)) ?? [];
  if (name !== undefined && times * 2 > linesOf(unavailable)) {
    return {
      says: `DynamoDB throttles ${name} (${count(times)} times).`,
      next: [{ text: 'stop imports, and wait: docs/runbook.md#functions-or-tables-are-throttled' }],
      isChange: false,
    };
  }
  const errors = totalBy(
    unavailable,
    ({ error }) => error,
    ({ lines }) => lines,
  ).map(([error]) => error);
  return {
    says: `DynamoDB is slow or fails (${errors.slice(0, 3).join(', ')}).`,
    next: [{ text: 'wait: https://health.aws.amazon.com/health/status says whether AWS repairs it' }],
    isChange: false,
  };
}

const linesOf = (groups: readonly LogGroup[]) => groups.reduce((sum, { lines }) => sum + lines, 0);

/** An index that lists need is not there, or not yet. */
export function lostIndex({ tables = [], stage }: Seen): Finding | undefined {
  for (const { name, table, definition } of tables) {
    for (const [index, key] of Object.entries(definition.indexes)) {
      const found = table?.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === index);
      if (!table || found?.IndexStatus === 'ACTIVE') continue;
      return {
        says: `The index ${index} of ${name} is ${found?.IndexStatus ?? 'gone'}: lists that filter fail.`,
        next: [
          found
            ? step('on-call', 'wait, and look again', `npm run stage -- triage ${stage}`)
            : createIndex(name, index, namesOf(key), definition),
        ],
      };
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
    'recreate it, which no deploy does',
    `aws dynamodb update-table --table-name ${table} --attribute-definitions ${attributes.join(' ')} --global-secondary-index-updates ${quoted(JSON.stringify(updates))}`,
  );
}
