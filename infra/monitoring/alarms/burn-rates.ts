import { Duration } from 'aws-cdk-lib';
import { errorBudget, slowAfterMilliseconds, slowBudget } from '../../settings/objectives.ts';

/**
 * The service level objectives: the share of served requests that may fail or be slow within 30 days.
 * https://sre.google/sre-book/service-level-objectives/
 */
export const objectives = {
  /** 99.9% without a 5xx: 43 minutes of complete outage in 30 days. */
  Availability: { counted: 'Errors', budget: errorBudget, meaning: 'Clients get a 5xx' },
  /** 99% within a second. */
  Latency: {
    counted: 'Slow',
    budget: slowBudget,
    meaning: `Clients wait for more than ${slowAfterMilliseconds} ms`,
  },
} as const;

/**
 * How fast the budget burns: the long window shows that it matters, the short one that it is still happening.
 * https://sre.google/workbook/alerting-on-slos/
 */
export const burnRates = {
  // 2% of the budget within an hour: 0.02 × 720 h.
  Fast: { severity: 'page', rate: 14.4, Long: Duration.hours(1), Short: Duration.minutes(5) },
  // 5% of the budget within six hours: 0.05 × 720 h / 6 h.
  Slowly: { severity: 'ticket', rate: 6, Long: Duration.hours(6), Short: Duration.minutes(30) },
} as const;
