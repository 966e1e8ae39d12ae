import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  AlarmRule,
  AlarmState,
  ComparisonOperator,
  CompositeAlarm,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { Indicators } from '../indicators/indicators.ts';
import type { Objective } from '../indicators/objectives.ts';
import { share } from '../indicators/share.ts';
import type { Severity } from './alarm-topics.ts';

/**
 * How fast the budget of 30 days burns, and in which windows: the long one tells that it matters, the short one that it
 * has not stopped since. https://sre.google/workbook/alerting-on-slos/
 */
export const burnRates = {
  // 2 % of the budget within an hour: 0.02 × 720 h.
  Fast: { severity: 'page', rate: 14.4, long: Duration.hours(1), short: Duration.minutes(5) },
  // 5 % of the budget within six hours: 0.05 × 720 h / 6 h.
  Slowly: { severity: 'ticket', rate: 6, long: Duration.hours(6), short: Duration.minutes(30) },
} as const satisfies Record<string, BurnRate>;

interface BurnRate {
  readonly severity: Severity;
  readonly rate: number;
  readonly long: Duration;
  readonly short: Duration;
}

/** Shares are reckoned as if an hour had at least so many requests: it takes 15 errors to page, and 37 to file a ticket. */
const leastRequestsPerHour = 1000;

export interface BurnRateAlarmProps {
  readonly objective: Objective;
  readonly burnRate: BurnRate;
  readonly indicators: Indicators;
  readonly name: string;
  readonly description: string;
}

/** Rings when an objective's budget burns too fast in both of two windows. */
export class BurnRateAlarm extends Construct {
  readonly alarm: CompositeAlarm;

  constructor(scope: Construct, id: string, props: BurnRateAlarmProps) {
    super(scope, id);
    const { objective, burnRate, indicators, name, description } = props;

    const inWindow = (windowId: string, period: Duration) =>
      new Alarm(this, windowId, {
        alarmName: `${name}-${windowId}`,
        alarmDescription: `Half of ${name}, which rings when both halves do.`,
        metric: share({
          counted: indicators.metric(objective.counted),
          of: indicators.metric('Served'),
          atLeast: Math.round(leastRequestsPerHour * period.toHours({ integral: false })),
          period,
          label: `${objective.counted} by request`,
        }),
        threshold: Number((burnRate.rate * objective.budget).toPrecision(6)),
        comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
        evaluationPeriods: 1,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      });

    this.alarm = new CompositeAlarm(this, 'Both', {
      compositeAlarmName: name,
      alarmDescription: description,
      alarmRule: AlarmRule.allOf(
        AlarmRule.fromAlarm(inWindow('Long', burnRate.long), AlarmState.ALARM),
        AlarmRule.fromAlarm(inWindow('Short', burnRate.short), AlarmState.ALARM),
      ),
    });
  }
}
