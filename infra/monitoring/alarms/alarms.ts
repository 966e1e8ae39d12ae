import { Stack } from 'aws-cdk-lib';
import { Alarm, type AlarmBase, AlarmRule, AlarmState, CompositeAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Construct } from 'constructs';
import type { Indicators } from '../indicators/indicators.ts';
import type { AlarmTopics, Severity } from './alarm-topics.ts';
import { burnRates, objectives } from './burn-rates.ts';
import { type Cause, firesAbove } from './causes.ts';

/** Where the runbook is published: set it to your copy's address, so that a pager's link works. */
const runbook = 'docs/runbook.md';

/** Burn rates assume at least this many requests per hour: 15 errors cause a page, 37 a ticket. */
const leastRequestsPerHour = 1000;

/** Adds the alarms of a stage. Each is named after its section in the runbook. */
export function addAlarms(
  scope: Construct,
  indicators: Indicators,
  causes: Readonly<Record<string, Cause>>,
  topics: AlarmTopics,
): void {
  const named = (alarmId: string) => `${Stack.of(scope).stackName}-${alarmId}`;
  /** Notifies people when an alarm fires and when it recovers. */
  const connect = (alarm: AlarmBase, severity: Severity) => {
    const action = new SnsAction(topics[severity]);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
  };

  for (const [name, { counted, budget, meaning }] of Object.entries(objectives)) {
    for (const [speed, { severity, rate, ...windows }] of Object.entries(burnRates)) {
      const alarmId = `${name}Burns${speed}`;
      const inner = new Construct(scope, alarmId);
      const rules = Object.entries(windows).map(([window, period]) => {
        const alarm = new Alarm(inner, window, {
          alarmName: `${named(alarmId)}-${window}`,
          alarmDescription: `One of the two windows of ${named(alarmId)}, which fires when both do.`,
          metric: indicators.share(counted, {
            atLeast: Math.round(leastRequestsPerHour * period.toHours({ integral: false })),
            period,
          }),
          threshold: Number((rate * budget).toPrecision(6)),
          evaluationPeriods: 1,
          ...firesAbove,
        });
        return AlarmRule.fromAlarm(alarm, AlarmState.ALARM);
      });
      const text = `${meaning}: ${rate} times what the objective of ${100 - 100 * budget}% allows.`;
      const both = new CompositeAlarm(inner, 'Both', {
        compositeAlarmName: named(alarmId),
        alarmDescription: describe(severity, text, alarmId),
        alarmRule: AlarmRule.allOf(...rules),
      });
      connect(both, severity);
    }
  }
  for (const [alarmId, { severity = 'ticket', meaning, ...options }] of Object.entries(causes)) {
    const alarm = new Alarm(scope, alarmId, {
      alarmName: named(alarmId),
      alarmDescription: describe(severity, meaning, alarmId),
      ...firesAbove,
      ...options,
    });
    connect(alarm, severity);
  }
}

/** Describes an alarm. Names that differ only after a hyphen share a runbook section. */
const describe = (severity: Severity, text: string, alarmId: string) =>
  `${severity}: ${text} ${runbook}#${alarmId.toLowerCase().replace(/-.*/, '')}`;
