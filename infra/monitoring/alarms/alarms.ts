import { Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Construct } from 'constructs';
import type { AlarmTopics } from './notifications.ts';

/** The definition of an alarm for people: a ticket, unless it pages. */
export interface AlarmDefinition extends Partial<cloudwatch.CreateAlarmOptions> {
  readonly severity?: keyof AlarmTopics;
  readonly metric: cloudwatch.IMetric;
  readonly threshold: number;
  readonly meaning: string;
}

/** Alarm definitions by the alarm's name. Those whose names differ only after a hyphen share a section. */
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

/** Adds alarms that notify people when they fire and when they recover, with a link to the runbook. */
export function addAlarms(
  scope: Construct,
  definitions: AlarmDefinitions,
  topics: AlarmTopics,
  runbook = 'docs/runbook.md',
): void {
  for (const [name, { severity = 'ticket', meaning, ...options }] of Object.entries(definitions)) {
    const section = name.toLowerCase().replace(/-.*/, '');
    const alarm = new cloudwatch.Alarm(scope, name, {
      alarmName: `${Stack.of(scope).stackName}-${name}`,
      alarmDescription: `${severity}: ${meaning} ${runbook}#${section}`,
      evaluationPeriods: 1,
      ...firesAbove,
      ...options,
    });
    const action = new SnsAction(topics[severity]);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
  }
}
