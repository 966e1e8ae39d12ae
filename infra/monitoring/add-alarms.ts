import { Duration, Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Construct } from 'constructs';
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
  'nobody-was-paged': 'Clients notice nothing.',
};
type Section = keyof typeof sections;

/** One alarm. It does nothing by itself: it is a cause of the page, or of the ticket about its section. */
export interface AlarmDefinition extends Partial<cloudwatch.CreateAlarmOptions> {
  readonly section: Section;
  readonly metric: cloudwatch.IMetric;
  /** The metric in a shorter window: the alarm counts only while both breach, so it ends soon after its cause. */
  readonly now?: cloudwatch.IMetric;
  readonly threshold: number;
  readonly meaning: string;
  /** Whom it notifies itself, whether or not the page is open: it is no cause of an outage. */
  readonly notifies?: keyof AlarmTopics;
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
 * ticket has forgotten the outage.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Create_Composite_Alarm_Suppression.html
 */
const suppression = {
  actionsSuppressorWaitPeriod: Duration.minutes(30),
  actionsSuppressorExtensionPeriod: Duration.hours(6),
};

/** What the text of each alarm refers to, and where it is sent. */
interface Help {
  readonly stage: string;
  readonly topics: AlarmTopics;
  /** The address of the runbook. */
  readonly runbook: string | undefined;
}

/** Returns the text of an alarm, which triage reads: it ends with the first command and the runbook's section. */
export const alarmText = (severity: string, meaning: string, stage: string, address: string) =>
  `${severity}: ${meaning} Run: npm run stage -- triage ${stage} (${address})`;

/**
 * Adds alarms, and what notifies people of them: one page for all that page, which also says when all is well
 * again, and a ticket for each other section, which is not sent while the page is open.
 */
export function addAlarms(
  scope: Construct,
  definitions: AlarmDefinitions,
  { stage, topics, runbook = 'docs/runbook.md' }: Help,
): cloudwatch.IAlarm[] {
  const { stackName } = Stack.of(scope);
  const describe = (severity: keyof AlarmTopics, meaning: string, section: Section) =>
    alarmText(severity, meaning, stage, `${runbook}#${section}`);

  const causes = new Map<Section, cloudwatch.IAlarmRule[]>();
  const all: cloudwatch.Alarm[] = [];
  for (const [name, { section, now, meaning, notifies, metric, ...options }] of Object.entries(definitions)) {
    const severity = notifies ?? (section === 'a-page' ? 'page' : 'ticket');
    const add = (id: string, properties: Pick<AlarmDefinition, 'metric'>) => {
      const alarm = new cloudwatch.Alarm(scope, id, {
        alarmName: `${stackName}-${id}`,
        alarmDescription: describe(severity, `${meaning} ${sections[section]}`, section),
        evaluationPeriods: 1,
        ...firesAbove,
        ...options,
        ...properties,
      });
      all.push(alarm);
      return alarm;
    };
    const alarm = add(name, { metric });
    if (notifies) {
      alarm.addAlarmAction(new SnsAction(topics[notifies]));
      continue;
    }
    const isNow = now && add(`${name}-Now`, { metric: now, ...oneOfThree });
    const rule = isNow ? cloudwatch.AlarmRule.allOf(alarm, isNow) : alarm;
    causes.set(section, [...(causes.get(section) ?? []), rule]);
  }

  const combine = (id: string, section: Section, suppressor: object = {}) => {
    const severity = section === 'a-page' ? 'page' : 'ticket';
    const alarm = new cloudwatch.CompositeAlarm(scope, id, {
      compositeAlarmName: `${stackName}-${id}`,
      alarmDescription: describe(severity, sections[section], section),
      alarmRule: cloudwatch.AlarmRule.anyOf(...(causes.get(section) ?? [])),
      ...suppressor,
    });
    alarm.addAlarmAction(new SnsAction(topics[severity]));
    return alarm;
  };
  const page = combine('Page', 'a-page');
  page.addOkAction(new SnsAction(topics.page));
  const ofTickets = Array.from(causes.keys()).filter((section) => section !== 'a-page');
  const suppressor = { actionsSuppressor: page, ...suppression };
  return [page, ...ofTickets.map((section) => combine(section, section, suppressor)), ...all];
}
