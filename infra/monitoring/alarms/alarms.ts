import { Duration, Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Construct } from 'constructs';
import type { AlarmTopics } from './notifications.ts';

/** What each ticket is about: a section of the runbook, what it means, and whether clients notice. */
const tickets = {
  'requests-fail': 'More requests get a 5xx than the objective allows. Their clients notice.',
  'responses-are-slow': 'More responses are slow than the objective allows. Their clients notice.',
  'keys-are-refused':
    'Many keys are refused: made up, malformed, expired, revoked or lost. Owners of lost ones notice.',
  'requests-are-throttled': 'An operation is at its limit. Clients that get a 429 notice.',
  'requests-are-rejected':
    'Nearly all requests to an operation get a 400 or 404. Is a release too strict? Their clients notice.',
  'functions-or-tables-are-throttled':
    'Lambda throttles a function, or DynamoDB a table. Clients that get a 5xx notice.',
  'a-damaged-item':
    'A stored item does not parse: lists omit it, and reading it is a 5xx. The clients that need it notice.',
  'the-web-acl-blocks-clients': 'The web ACL blocks requests that have a key. Their clients notice.',
};
export type Ticket = keyof typeof tickets;

/** What the page says, whatever its causes are. */
const pageMeaning = 'Clients notice: requests fail, are slow, refused, missing or not logged.';

/** An alarm that is a cause of the page, or of a ticket. */
export interface AlarmDefinition extends Partial<cloudwatch.CreateAlarmOptions> {
  readonly causeOf: 'page' | Ticket;
  readonly metric: cloudwatch.IMetric;
  /** The metric in a shorter window: the alarm counts only while both breach, so it ends soon after its cause. */
  readonly now?: cloudwatch.IMetric;
  readonly threshold: number;
  readonly meaning: string;
}

export type AlarmDefinitions = Readonly<Record<string, AlarmDefinition>>;

/** Most alarms fire above their threshold, and do not fire without data. */
export const firesAbove = {
  comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_THRESHOLD,
  treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
};

/**
 * Fires if two of three periods breach: late data, which FILL reads as 0, hides one period at most.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
 */
export const twoOfThree = { datapointsToAlarm: 2, evaluationPeriods: 3 };

/** Ends after three periods without a breach, so that what comes back sooner does not fire again. */
const oneOfThree = { datapointsToAlarm: 1, evaluationPeriods: 3 };

/**
 * A ticket waits for the page that its cause may still send, and after a page until the longest window of a
 * ticket has forgotten the outage, if that is not a day.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Create_Composite_Alarm_Suppression.html
 */
const suppression = {
  actionsSuppressorWaitPeriod: Duration.minutes(30),
  actionsSuppressorExtensionPeriod: Duration.hours(6),
};

/** What the text of each alarm refers to, and where it is sent. */
export interface Help {
  readonly stage: string;
  readonly topics: AlarmTopics;
  /** The address of the runbook. */
  readonly runbook: string | undefined;
}

/**
 * Adds alarms, and what notifies people of them: one page for all that page, which also says when all is well
 * again, and the tickets, which are not sent while the page is open.
 */
export function addAlarms(scope: Construct, definitions: AlarmDefinitions, help: Help): cloudwatch.IAlarm[] {
  const { stackName } = Stack.of(scope);
  const causes = new Map<string, cloudwatch.IAlarmRule[]>();
  const all: cloudwatch.Alarm[] = [];
  for (const [name, { causeOf, now, meaning, ...options }] of Object.entries(definitions)) {
    const alarmDescription =
      causeOf === 'page'
        ? describe('page', 'a-page', meaning, help)
        : describe('ticket', causeOf, `${meaning} ${tickets[causeOf]}`, help);
    const add = (
      id: string,
      metric: cloudwatch.IMetric,
      periods: Partial<cloudwatch.CreateAlarmOptions> = {},
    ) => {
      const alarm = new cloudwatch.Alarm(scope, id, {
        alarmName: `${stackName}-${id}`,
        alarmDescription,
        evaluationPeriods: 1,
        ...firesAbove,
        ...options,
        ...periods,
        metric,
      });
      all.push(alarm);
      return alarm;
    };
    const alarm = add(name, options.metric);
    const rule = now ? cloudwatch.AlarmRule.allOf(alarm, add(`${name}-Now`, now, oneOfThree)) : alarm;
    causes.set(causeOf, [...(causes.get(causeOf) ?? []), rule]);
  }

  const page = new cloudwatch.CompositeAlarm(scope, 'Page', {
    compositeAlarmName: `${stackName}-Page`,
    alarmDescription: describe('page', 'a-page', pageMeaning, help),
    alarmRule: cloudwatch.AlarmRule.anyOf(...(causes.get('page') ?? [])),
  });
  page.addAlarmAction(new SnsAction(help.topics.page));
  page.addOkAction(new SnsAction(help.topics.page));
  const ofTickets = Object.entries(tickets).flatMap(([ticket, meaning]) => {
    const rules = causes.get(ticket);
    if (!rules) return [];
    const alarm = new cloudwatch.CompositeAlarm(scope, ticket, {
      compositeAlarmName: `${stackName}-${ticket}`,
      alarmDescription: describe('ticket', ticket, meaning, help),
      alarmRule: cloudwatch.AlarmRule.anyOf(...rules),
      actionsSuppressor: page,
      ...suppression,
    });
    alarm.addAlarmAction(new SnsAction(help.topics.ticket));
    return [alarm];
  });
  return [page, ...ofTickets, ...all];
}

/** An alarm that notifies people itself, whether or not the page is open: it is no cause of an outage. */
export interface IndependentAlarm extends Partial<cloudwatch.CreateAlarmOptions> {
  readonly severity: keyof AlarmTopics;
  readonly section: string;
  readonly metric: cloudwatch.IMetric;
  readonly threshold: number;
  readonly meaning: string;
}

/** Adds alarms that notify people themselves. */
export function addIndependentAlarms(
  scope: Construct,
  definitions: Readonly<Record<string, IndependentAlarm>>,
  help: Help,
): cloudwatch.IAlarm[] {
  return Object.entries(definitions).map(([name, { severity, section, meaning, ...options }]) => {
    const alarm = new cloudwatch.Alarm(scope, name, {
      alarmName: `${Stack.of(scope).stackName}-${name}`,
      alarmDescription: describe(severity, section, meaning, help),
      evaluationPeriods: 1,
      ...firesAbove,
      ...options,
    });
    alarm.addAlarmAction(new SnsAction(help.topics[severity]));
    return alarm;
  });
}

/** Returns the text of an alarm, which ends with the first command and the runbook's section. */
const describe = (severity: keyof AlarmTopics, section: string, meaning: string, { stage, runbook }: Help) =>
  `${severity}: ${meaning} Run: npm run stage -- triage ${stage} (${runbook ?? 'docs/runbook.md'}#${section})`;
