import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { Watched } from '../indicators.ts';
import type { IndependentAlarm } from './alarms.ts';
import type { AlarmTopics } from './notifications.ts';

/** Returns the alarms on what is no outage yet, or would hide one. */
export function independentAlarms(
  { api: { domain } }: Watched,
  topics: AlarmTopics,
): Readonly<Record<string, IndependentAlarm>> {
  // A topic that fails may lose this ticket too. So it lasts a day, in which the daily checks see it.
  const NotificationsFail: IndependentAlarm = {
    severity: 'ticket',
    metric: new cloudwatch.MathExpression({
      label: 'Failed notifications',
      period: Duration.days(1),
      expression: 'FILL(pages, 0) + FILL(tickets, 0)',
      usingMetrics: {
        pages: topics.page.metricNumberOfNotificationsFailed(),
        tickets: topics.ticket.metricNumberOfNotificationsFailed(),
      },
    }),
    threshold: 0,
    meaning: 'SNS could not deliver a page or a ticket. Clients notice nothing.',
    section: 'nobody-was-paged',
  };
  if (!domain) return { NotificationsFail };

  const expiresWithin = (days: number, severity: keyof AlarmTopics): IndependentAlarm => ({
    severity,
    // https://docs.aws.amazon.com/acm/latest/userguide/cloudwatch-metrics.html
    metric: domain.certificate.metricDaysToExpiry(),
    threshold: days,
    comparisonOperator: cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD,
    // A new certificate has no metric yet, and an expired one no longer: the last state stays.
    treatMissingData: cloudwatch.TreatMissingData.IGNORE,
    meaning: `The domain's certificate expires within ${days} days: then no client can connect.`,
    section: 'the-certificate-expires',
  });
  return {
    NotificationsFail,
    CertificateExpires: expiresWithin(30, 'ticket'),
    CertificateExpiresSoon: expiresWithin(3, 'page'),
  };
}
