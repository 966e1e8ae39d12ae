import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { Indicators } from '../monitoring/indicators/indicators.ts';
import { share } from '../monitoring/indicators/share.ts';

/** The share of errors that undoes a release: a canary that fails every request fails a tenth of all. */
const errorShare = 0.02;

/** Counted as if there were so many requests a minute: one error undoes no release, and two in a minute do. */
const leastRequests = 50;

/**
 * The alarms that undo a release. Each looks at one minute, so that it rings a dozen times over before a canary of 15
 * minutes ends, and tells nobody but CodeDeploy.
 */
export class RollbackAlarms extends Construct {
  readonly alarms: readonly Alarm[];

  constructor(scope: Construct, id: string, indicators: Indicators) {
    super(scope, id);

    // A fault may be logged without an error, by a call during init, and an error come without a fault, from API Gateway.
    this.alarms = (['Errors', 'Faults'] as const).map(
      (indicator) =>
        new Alarm(this, indicator, {
          alarmDescription: `${indicator} of more than ${errorShare * 100} % of requests within a minute: a release under way is undone.`,
          metric: share({
            counted: indicators.metric(indicator),
            of: indicators.metric('Requests'),
            atLeast: leastRequests,
            period: Duration.minutes(1),
            label: `${indicator} by request`,
          }),
          threshold: errorShare,
          comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
          evaluationPeriods: 1,
          treatMissingData: TreatMissingData.NOT_BREACHING,
        }),
    );
  }
}
