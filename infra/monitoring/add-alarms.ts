import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Duration, Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { runbookSection } from '../settings/alarm-settings.ts';
import {
  type AlarmKind,
  alarmKinds,
  type Meaning,
  nowSuffix,
  type Section,
  sections,
} from './alarm-kinds.ts';
import type { Watched } from './indicators.ts';
import type { AlarmTopics } from './notifications.ts';

/** One alarm. */
export interface AlarmDefinition extends Partial<cloudwatch.CreateAlarmOptions> {
  readonly kind: AlarmKind;
  /** What it is about, if there are several of its kind. */
  readonly of?: string;
  readonly metric: cloudwatch.IMetric;
  readonly threshold: number;
  /** The figures above or below which it fires. */
  readonly figures: string;
  /** The metric in a shorter window: the page counts only what breaches both, so it ends soon after its cause. */
  readonly now?: cloudwatch.IMetric;
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

/** Adds alarms, and returns what notifies somebody of them. The page also says when all is well again. */
export function addAlarms(
  scope: Construct,
  { settings }: Watched,
  alarms: readonly AlarmDefinition[],
  topics: AlarmTopics,
): cloudwatch.IAlarm[] {
  const { stackName } = Stack.of(scope);
  // The text ends with the section of the runbook, which begins with the first command.
  const textOf = (severity: keyof AlarmTopics, section: Section, meaning = '') =>
    `${severity}: ${meaning}${sections[section]} ${runbookSection(settings.alarms, section)}`;
  const leadingTo = (outcome: Meaning['leadsTo']) =>
    alarms.filter(({ kind }) => alarmKinds[kind].leadsTo === outcome);
  const notify = { page: new SnsAction(topics.page), ticket: new SnsAction(topics.ticket) };

  const add = (severity: keyof AlarmTopics, { kind, of, figures, ...options }: AlarmDefinition) => {
    const { section, says } = alarmKinds[kind];
    const name = of === undefined ? kind : `${kind}-${of}`;
    return new cloudwatch.Alarm(scope, name, {
      alarmName: `${stackName}-${name}`,
      alarmDescription: textOf(severity, section, `${says} (${figures}). `),
      evaluationPeriods: 1,
      ...firesAbove,
      ...options,
    });
  };
  const page = new cloudwatch.CompositeAlarm(scope, 'Page', {
    compositeAlarmName: `${stackName}-Page`,
    alarmDescription: textOf('page', 'a-page'),
    alarmRule: cloudwatch.AlarmRule.anyOf(
      ...leadingTo('the page').map(({ now, ...definition }) => {
        const alarm = add('page', definition);
        if (!now) return alarm;
        const recent = { ...definition, ...oneOfThree, of: nowSuffix, metric: now };
        return cloudwatch.AlarmRule.allOf(alarm, add('page', recent));
      }),
    ),
  });
  page.addAlarmAction(notify.page);
  page.addOkAction(notify.page);

  const combined = [...Map.groupBy(leadingTo('a ticket'), ({ kind }) => alarmKinds[kind].section)].map(
    ([section, causes]) => {
      const ticket = new cloudwatch.CompositeAlarm(scope, section, {
        compositeAlarmName: `${stackName}-${section}`,
        alarmDescription: textOf('ticket', section),
        alarmRule: cloudwatch.AlarmRule.anyOf(...causes.map((cause) => add('ticket', cause))),
        actionsSuppressor: page,
        ...suppression,
      });
      ticket.addAlarmAction(notify.ticket);
      return ticket;
    },
  );

  const single = (['ticket', 'page'] as const).flatMap((severity) =>
    leadingTo(`its own ${severity}`).map((definition) => {
      const alarm = add(severity, definition);
      alarm.addAlarmAction(notify[severity]);
      return alarm;
    }),
  );
  return [page, ...combined, ...single];
}
