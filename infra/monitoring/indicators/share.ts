import type { Duration } from 'aws-cdk-lib';
import { MathExpression, type Metric } from 'aws-cdk-lib/aws-cloudwatch';

export interface ShareProps {
  readonly counted: Metric;
  readonly of: Metric;
  /** The share is reckoned as if there were at least so many in a period: a few do not make a share. */
  readonly atLeast: number;
  readonly period: Duration;
  readonly label: string;
}

/**
 * The share of what is counted in a period. Of ten requests one is a tenth, and says nothing; below the floor it takes as
 * many errors to ring an alarm as it does at the floor, so that a small service that is down still wakes somebody.
 */
export function share({ counted, of, atLeast, period, label }: ShareProps): MathExpression {
  return new MathExpression({
    label,
    period,
    expression: `FILL(counted, 0) / IF(FILL(total, 0) > ${atLeast}, total, ${atLeast})`,
    usingMetrics: { counted, total: of },
  });
}
