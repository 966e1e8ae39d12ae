import { Duration } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { type AlarmDefinition, type Alarms, twoOfThree } from './add-alarms.ts';
import { type Indicators, shareOf, type Watched } from './indicators.ts';
import type { AlarmTopics } from './notifications.ts';
import { throttles, webAclRequests } from './resource-metrics.ts';

/** Returns the alarms on what AWS itself counts, and on stored items. */
export function resourceAlarms(
  { settings, api, functions, tables }: Watched,
  indicators: Indicators,
  topics: AlarmTopics,
): Alarms {
  const { restApi, accessLogs, domain } = api;
  const requests = restApi.metricCount({ statistic: cloudwatch.Stats.SUM });
  const lines = new cloudwatch.Metric({
    namespace: 'AWS/Logs',
    metricName: 'IncomingLogEvents',
    dimensionsMap: { LogGroupName: accessLogs.logGroupName },
    statistic: cloudwatch.Stats.SUM,
  });

  return {
    pages: [
      {
        name: 'GatewayErrors',
        metric: shareOf(restApi.metricServerError(), requests, { atLeast: 180, minutes: 5 }),
        threshold: 0.05,
        ...twoOfThree,
        meaning: "By API Gateway's own count, more than 5% of responses are a 5xx.",
      },
      {
        name: 'AccessLogEmpty',
        // A line that comes late belongs to one period at most.
        metric: new cloudwatch.MathExpression({
          label: 'Requests without a log line',
          expression: 'IF(FILL(requests, 0) >= 5, IF(FILL(lines, 0) > 0, 0, 1), 0)',
          usingMetrics: { requests, lines },
        }),
        threshold: 0,
        evaluationPeriods: 3,
        meaning: 'For 15 minutes, the access log has lacked requests that API Gateway counts.',
      },
    ],
    tickets: [
      {
        name: 'DamagedItems',
        section: 'a-damaged-item',
        // An item that is read now and then opens one ticket, not one each time.
        metric: indicators.damagedItems(Duration.hours(1)),
        threshold: 0,
        meaning: 'Within an hour, a function found a damaged item.',
      },
      ...functions.map(({ node, function: target }) => ({
        name: `FunctionsThrottled-${node.id}`,
        section: 'functions-or-tables-are-throttled' as const,
        metric: target.metricThrottles(),
        threshold: 0,
        ...twoOfThree,
        meaning: "A function is out of concurrency, its own or the account's.",
      })),
      ...tables.map((table) => ({
        name: `TablesThrottled-${table.id}`,
        section: 'functions-or-tables-are-throttled' as const,
        metric: throttles(table),
        // A few do not matter: the functions retry.
        threshold: 10,
        ...twoOfThree,
        meaning: 'A partition of a table or an index is at its limit.',
      })),
      ...(settings.fairUse ? [webAclBlocks(restApi)] : []),
    ],
    standalone: {
      page: domain ? [{ name: 'CertificateExpiresSoon', ...expiresWithin(3, domain.certificate) }] : [],
      ticket: [
        // A topic that fails may lose this ticket too. So it lasts a day, in which the daily checks see it.
        {
          name: 'NotificationsFail',
          section: 'nobody-was-paged',
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
          meaning: 'SNS could not deliver a page or a ticket.',
        },
        ...(domain ? [{ name: 'CertificateExpires', ...expiresWithin(30, domain.certificate) }] : []),
      ],
    },
  };
}

function webAclBlocks(restApi: RestApi): AlarmDefinition {
  const withKey = 'FILL(blocked, 0) - FILL(withoutKey, 0)';
  const all = `FILL(allowed, 0) + ${withKey}`;
  return {
    name: 'WebAclBlocks',
    section: 'the-web-acl-blocks-clients',
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
    meaning: 'Within 5 minutes, more than 10% of the requests that have a key were blocked.',
  };
}

const expiresWithin = (days: number, certificate: ICertificate) => ({
  section: 'the-certificate-expires' as const,
  // https://docs.aws.amazon.com/acm/latest/userguide/cloudwatch-metrics.html
  metric: certificate.metricDaysToExpiry(),
  threshold: days,
  comparisonOperator: cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD,
  // A new certificate has no metric yet, and an expired one no longer: the last state stays.
  treatMissingData: cloudwatch.TreatMissingData.IGNORE,
  meaning: `The domain's certificate expires within ${days} days.`,
});
