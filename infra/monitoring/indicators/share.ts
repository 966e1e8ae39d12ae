import type { Duration } from 'aws-cdk-lib';
import {
  ComparisonOperator,
  type IMetric,
  MathExpression,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';

export interface ShareProps {
  readonly counted: IMetric;
  /** The requests that the share is of. */
  readonly of: IMetric;
  /** Whether counted requests are not among those: they were rejected before they reached an operation. */
  readonly addsCounted?: boolean;
  /** Minimum total assumed per period, so that a few requests do not dominate. */
  readonly atLeast: number;
  readonly period: Duration;
}

/**
 * Returns the share of counted requests in a period. Below the minimum total, the number of errors that fires an alarm stays
 * constant, so a small service that is down still pages.
 */
export function share({ counted, of, addsCounted, atLeast, period }: ShareProps): MathExpression {
  const total = addsCounted ? '(FILL(total, 0) + FILL(counted, 0))' : 'FILL(total, 0)';
  return new MathExpression({
    label: 'Share of requests',
    period,
    expression: `FILL(counted, 0) / IF(${total} > ${atLeast}, ${total}, ${atLeast})`,
    usingMetrics: { counted, total: of },
  });
}

/** Returns the sum of metrics that may have gaps. */
export function sumOf(metrics: readonly IMetric[], period: Duration): MathExpression {
  return new MathExpression({
    label: 'Sum',
    period,
    expression: metrics.map((_metric, index) => `FILL(m${index}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric])),
  });
}

/** Most alarms fire above their threshold, and do not fire without data. */
export const firesAbove = {
  comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
  treatMissingData: TreatMissingData.NOT_BREACHING,
};
