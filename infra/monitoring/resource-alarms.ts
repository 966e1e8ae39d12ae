import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Duration } from 'aws-cdk-lib/core';
import { type AlarmDefinition, twoOfThree } from './add-alarms.ts';
import type { AlarmKind } from './alarm-kinds.ts';
import { type Indicators, shareOf, type Watched } from './indicators.ts';
import type { AlarmTopics } from './notifications.ts';
import { throttles, webAclRequests } from './resource-metrics.ts';

/** Returns the alarms on what AWS itself counts, and on stored items. */
export function resourceAlarms(
  { settings, api, functions, tables }: Watched,
  indicators: Indicators,
  topics: AlarmTopics,
): AlarmDefinition[] {
  const { restApi, accessLogs, domain } = api;
  const requests = restApi.metricCount({ statistic: cloudwatch.Stats.SUM });
  const lines = new cloudwatch.Metric({
    namespace: 'AWS/Logs',
    metricName: 'IncomingLogEvents',
    dimensionsMap: { LogGroupName: accessLogs.logGroupName },
    statistic: cloudwatch.Stats.SUM,
  });

  return [
    {
      kind: 'GatewayErrors',
      metric: shareOf(restApi.metricServerError(), requests, { atLeast: 180, minutes: 5 }),
      threshold: 0.05,
      ...twoOfThree,
      figures: 'more than 5% within 5 minutes',
    },
    {
      kind: 'AccessLogEmpty',
      // A line that comes late belongs to one period at most.
      metric: new cloudwatch.MathExpression({
        label: 'Requests without a log line',
        expression: 'IF(FILL(requests, 0) >= 5, IF(FILL(lines, 0) > 0, 0, 1), 0)',
        usingMetrics: { requests, lines },
      }),
      threshold: 0,
      evaluationPeriods: 3,
      figures: 'for 15 minutes',
    },
    {
      kind: 'DamagedItems',
      // An item that is read now and then opens one ticket, not one each time.
      metric: indicators.damagedItems(Duration.hours(1)),
      threshold: 0,
      figures: 'within an hour',
    },
    ...functions.map(({ node, function: target }) => ({
      kind: 'FunctionsThrottled' as const,
      of: node.id,
      metric: target.metricThrottles(),
      threshold: 0,
      ...twoOfThree,
      figures: 'for 10 minutes',
    })),
    ...tables.map((table) => ({
      kind: 'TablesThrottled' as const,
      of: table.id,
      metric: throttles(table),
      // A few do not matter: the functions retry.
      threshold: 10,
      ...twoOfThree,
      figures: 'for 10 minutes',
    })),
    ...(settings.fairUse ? [webAclBlocks(restApi)] : []),
    // A topic that fails may lose this ticket too. So it lasts a day, in which the daily checks see it.
    {
      kind: 'NotificationsFail',
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
      figures: 'within a day',
    },
    ...(domain
      ? [
          expiresWithin(3, 'CertificateExpiresSoon', domain.certificate),
          expiresWithin(30, 'CertificateExpires', domain.certificate),
        ]
      : []),
  ];
}

function webAclBlocks(restApi: RestApi): AlarmDefinition {
  const withKey = 'FILL(blocked, 0) - FILL(withoutKey, 0)';
  const all = `FILL(allowed, 0) + ${withKey}`;
  return {
    kind: 'WebAclBlocks',
    metric: new cloudwatch.MathExpression({
      label: 'Blocked share of requests with a key',
      expression: `(${withKey}) / IF(${all} > 100, ${all}, 100)`,
      usingMetrics: {
        allowed: webAclRequests(restApi, 'AllowedRequests', 'ALL'),
        blocked: webAclRequests(restApi, 'BlockedRequests', 'ALL'),
        withoutKey: webAclRequests(restApi, 'BlockedRequests', 'NoKey'),
      },
    }),
    threshold: 0.1,
    ...twoOfThree,
    figures: 'more than 10% within 5 minutes',
  };
}

const expiresWithin = (days: number, kind: AlarmKind, certificate: ICertificate): AlarmDefinition => ({
  kind,
  // https://docs.aws.amazon.com/acm/latest/userguide/cloudwatch-metrics.html
  metric: certificate.metricDaysToExpiry(),
  threshold: days,
  comparisonOperator: cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD,
  // A new certificate has no metric yet, and an expired one no longer: the last state stays.
  treatMissingData: cloudwatch.TreatMissingData.IGNORE,
  figures: `${days} days`,
});
