import { Duration, Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Construct } from 'constructs';
import { runbookSection } from '../settings/alarm-settings.ts';
import type { Watched } from './indicators.ts';
import type { AlarmTopics } from './notifications.ts';

/** The sections of the runbook that alarms lead to, with what they say there and whether clients notice. */
const sections = {
  'a-page': 'Clients notice: requests fail, are slow, refused, missing or not logged.',
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
  'the-certificate-expires': 'Once it has expired, clients notice: none can connect.',
  'nobody-was-paged': 'Clients may notice what the lost message was about.',
};
type Section = keyof typeof sections;

/** One alarm. */
export interface AlarmDefinition extends Partial<cloudwatch.CreateAlarmOptions> {
  readonly name: string;
  readonly metric: cloudwatch.IMetric;
  readonly threshold: number;
  readonly meaning: string;
  readonly section: Section;
}

interface PageDefinition extends Omit<AlarmDefinition, 'section'> {
  /** The metric in a shorter window: the alarm counts only while both breach, so it ends soon after its cause. */
  readonly now?: cloudwatch.IMetric;
}

/** Alarms by whom they notify, and how. */
export interface Alarms {
  /** The causes of one page for them all. */
  readonly pages: readonly PageDefinition[];
  /** The causes of a ticket about each section, which is not sent while the page is open. */
  readonly tickets: readonly AlarmDefinition[];
  /** What is no cause of an outage: each notifies by itself, whether or not the page is open. */
  readonly standalone: Readonly<Record<keyof AlarmTopics, readonly AlarmDefinition[]>>;
}

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
 * ticket has forgotten the outage.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Create_Composite_Alarm_Suppression.html
 */
const suppression = {
  actionsSuppressorWaitPeriod: Duration.minutes(30),
  actionsSuppressorExtensionPeriod: Duration.hours(6),
};

/** Returns the text of an alarm, which triage reads: it ends with the first command and the runbook's section. */
export const alarmText = (severity: string, meaning: string, stage: string, address: string) =>
  `${severity}: ${meaning} Run: AWS_PROFILE=${stage}-on-call npm run stage -- triage ${stage} (${address})`;

/** Adds alarms, and what notifies people of them. The page also says when all is well again. */
export function addAlarms(
  scope: Construct,
  { stage, settings }: Watched,
  { pages, tickets, standalone }: Alarms,
  topics: AlarmTopics,
): cloudwatch.IAlarm[] {
  const { stackName } = Stack.of(scope);
  const textOf = (severity: keyof AlarmTopics, section: Section, meaning = '') =>
    alarmText(severity, `${meaning}${sections[section]}`, stage, runbookSection(settings.alarms, section));
  const notify = { page: new SnsAction(topics.page), ticket: new SnsAction(topics.ticket) };

  const all: cloudwatch.Alarm[] = [];
  const add = (severity: keyof AlarmTopics, { section, name, meaning, ...options }: AlarmDefinition) => {
    const alarm = new cloudwatch.Alarm(scope, name, {
      alarmName: `${stackName}-${name}`,
      alarmDescription: textOf(severity, section, `${meaning} `),
      evaluationPeriods: 1,
      ...firesAbove,
      ...options,
    });
    all.push(alarm);
    return alarm;
  };
  const addPage = (definition: PageDefinition) => add('page', { section: 'a-page', ...definition });

  const page = new cloudwatch.CompositeAlarm(scope, 'Page', {
    compositeAlarmName: `${stackName}-Page`,
    alarmDescription: textOf('page', 'a-page'),
    alarmRule: cloudwatch.AlarmRule.anyOf(
      ...pages.map(({ now, ...definition }) => {
        const alarm = addPage(definition);
        if (!now) return alarm;
        const recent = { ...definition, ...oneOfThree, name: `${definition.name}-Now`, metric: now };
        return cloudwatch.AlarmRule.allOf(alarm, addPage(recent));
      }),
    ),
  });
  page.addAlarmAction(notify.page);
  page.addOkAction(notify.page);

  const combined = [...Map.groupBy(tickets, ({ section }) => section)].map(([section, causes]) => {
    const ticket = new cloudwatch.CompositeAlarm(scope, section, {
      compositeAlarmName: `${stackName}-${section}`,
      alarmDescription: textOf('ticket', section),
      alarmRule: cloudwatch.AlarmRule.anyOf(...causes.map((cause) => add('ticket', cause))),
      actionsSuppressor: page,
      ...suppression,
    });
    ticket.addAlarmAction(notify.ticket);
    return ticket;
  });

  for (const severity of ['ticket', 'page'] as const) {
    for (const definition of standalone[severity]) add(severity, definition).addAlarmAction(notify[severity]);
  }
  return [page, ...combined, ...all];
}
