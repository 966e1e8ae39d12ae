import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { operations } from '../../../shared/contract/operations.ts';
import { errorBudget, slowAfterMilliseconds, slowBudget } from '../../settings/objectives.ts';
import { type Indicators, shareOf, throttles, type Watched } from '../indicators.ts';
import { type Cause, twoOfThree } from './alarms.ts';

/**
 * How many times faster than the objective allows a budget of 30 days burns: 2% of it within an hour (0.02 ×
 * 720 h), or 5% within six hours (0.05 × 720 h / 6 h).
 * https://sre.google/workbook/alerting-on-slos/
 */
const burnRates = { fast: 14.4, slow: 6 };

/** Returns alarms by name. Those on a share of requests say what is counted, requests assumed, minutes. */
export function causes({ api, settings, tables }: Watched, indicators: Indicators): Record<string, Cause> {
  const { restApi, accessLogs, domain } = api;
  const { expectsTrafficWithin } = settings;
  const requests = restApi.metricCount({ statistic: cloudwatch.Stats.SUM });
  const lines = new cloudwatch.Metric({
    namespace: 'AWS/Logs',
    metricName: 'IncomingLogEvents',
    dimensionsMap: { LogGroupName: accessLogs.logGroupName },
    statistic: cloudwatch.Stats.SUM,
  });

  const ofOperations = Object.values(operations).map(
    ({ operationId: id }): Record<string, Cause> => ({
      [`OperationFails-${id}`]: {
        metric: indicators.share(`Errors-${id}`, 1000, 120, `Served-${id}`),
        threshold: 0.02,
        comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        meaning: `At least 2% of the requests to ${id} get a 5xx within two hours.`,
      },
      [`RequestsRejected-${id}`]: {
        metric: indicators.share(`Rejected-${id}`, 10, 5, `Served-${id}`),
        threshold: 0.9,
        ...twoOfThree,
        meaning: `More than 90% of requests to ${id} get a 400 or 404: is a release too strict?`,
      },
    }),
  );
  const ofTables = tables.map(
    (table): Record<string, Cause> => ({
      [`TablesThrottled-${table.id}`]: {
        metric: throttles(table),
        // A few do not matter: the functions retry.
        threshold: 10,
        ...twoOfThree,
        meaning: 'DynamoDB throttles the table or an index: a partition has reached its limit.',
      },
    }),
  );

  return {
    AvailabilityBurnsFast: {
      severity: 'page',
      metric: indicators.share('Errors', 1000, 60),
      threshold: burnRates.fast * errorBudget,
      meaning: 'Clients get a 5xx: the error budget of 30 days would be gone in two days.',
    },
    AvailabilityBurnsSlowly: {
      metric: indicators.share('Errors', 6000, 360),
      threshold: burnRates.slow * errorBudget,
      meaning: 'Clients get a 5xx: the error budget of 30 days would be gone in five days.',
    },
    LatencyBurnsFast: {
      severity: 'page',
      metric: indicators.share('Slow', 1000, 60),
      threshold: burnRates.fast * slowBudget,
      meaning: `More than 14.4% of responses take over ${slowAfterMilliseconds} ms.`,
    },
    MostRequestsFail: {
      severity: 'page',
      // Five errors, even if a stage gets only one request every five minutes.
      metric: indicators.share('Errors', 9, 25),
      threshold: 0.5,
      meaning: 'More than half of requests get a 5xx.',
    },
    MostKeysRefused: {
      severity: 'page',
      metric: indicators.share('Denied', 100, 5, 'ServedOrDenied'),
      threshold: 0.5,
      evaluationPeriods: 2,
      meaning: 'More than half of requests are denied: keys may be lost, or the authorizer is broken.',
    },
    MostRequestsThrottled: {
      severity: 'page',
      metric: indicators.share('Throttled', 10, 5, 'ServedOrThrottled'),
      threshold: 0.5,
      evaluationPeriods: 2,
      meaning: 'More than half of requests get a 429.',
    },
    RequestsThrottled: {
      metric: indicators.share('Throttled', 100, 5, 'ServedOrThrottled'),
      threshold: 0.05,
      evaluationPeriods: 3,
      meaning: 'More than 5% of requests get a 429: a method is at its limit.',
    },
    ...Object.assign({}, ...ofOperations),
    GatewayErrors: {
      severity: 'page',
      metric: shareOf(restApi.metricServerError(), 180, 5, requests),
      // At least ten.
      threshold: 0.05,
      ...twoOfThree,
      meaning: 'API Gateway itself counts more than 5% of responses as a 5xx; this needs no log.',
    },
    AccessLogEmpty: {
      severity: 'page',
      metric: new cloudwatch.MathExpression({
        label: 'Requests without a log line',
        expression: 'IF(FILL(requests, 0) > 0, IF(FILL(lines, 0) > 0, 0, 1), 0)',
        usingMetrics: { requests, lines },
      }),
      threshold: 0,
      ...twoOfThree,
      meaning: 'API Gateway counts requests that are not in the access log: most alarms are blind.',
    },
    FunctionsThrottled: {
      // Of all functions of the account and region, which share its concurrency.
      metric: LambdaFunction.metricAllThrottles(),
      threshold: 0,
      ...twoOfThree,
      meaning: 'Lambda refuses to run a function: the account has no concurrency left.',
    },
    ...Object.assign({}, ...ofTables),
    DamagedItems: {
      metric: indicators.metric('DamagedItems'),
      threshold: 0,
      meaning: 'A stored item does not parse: lists omit it, and reading it returns a 5xx.',
    },
    ...(expectsTrafficWithin && {
      NoRequests: {
        severity: 'page',
        // Filled, because CloudWatch evaluates older data points before it treats any as missing.
        // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
        metric: new cloudwatch.MathExpression({
          label: 'Requests',
          period: expectsTrafficWithin,
          expression: 'FILL(requests, 0)',
          usingMetrics: { requests },
        }),
        threshold: 1,
        comparisonOperator: cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD,
        treatMissingData: cloudwatch.TreatMissingData.BREACHING,
        meaning: `No request for ${expectsTrafficWithin.toMinutes()} minutes: DNS, certificate or endpoint may be down.`,
      },
    }),
    ...(domain && {
      CertificateExpires: {
        // https://docs.aws.amazon.com/acm/latest/userguide/cloudwatch-metrics.html
        metric: domain.certificate.metricDaysToExpiry(),
        threshold: 30,
        comparisonOperator: cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD,
        meaning: "The domain's certificate expires in less than 30 days: ACM could not renew it.",
      },
    }),
  };
}
