import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { type Indicators, shareOf, type Watched } from '../indicators.ts';
import { throttles } from '../table-throttles.ts';
import { allowedRequests, blockedRequests } from '../web-acl-metrics.ts';
import { type AlarmDefinition, type AlarmDefinitions, twoOfThree } from './alarms.ts';

/** Returns the alarms on what AWS itself counts, and on stored items. */
export function resourceAlarms({ settings, api, tables }: Watched, indicators: Indicators): AlarmDefinitions {
  const { restApi, accessLogs, domain } = api;
  const requests = restApi.metricCount({ statistic: cloudwatch.Stats.SUM });
  const lines = new cloudwatch.Metric({
    namespace: 'AWS/Logs',
    metricName: 'IncomingLogEvents',
    dimensionsMap: { LogGroupName: accessLogs.logGroupName },
    statistic: cloudwatch.Stats.SUM,
  });

  const definitions: Record<string, AlarmDefinition> = {
    GatewayErrors: {
      severity: 'page',
      // 0.05 × 180 = 9, so at least ten errors.
      metric: shareOf(restApi.metricServerError(), { total: requests, atLeast: 180, minutes: 5 }),
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
      // Of all functions of the account and region, as another service may use up what they share.
      metric: LambdaFunction.metricAllThrottles(),
      threshold: 0,
      ...twoOfThree,
      meaning:
        'Lambda refuses to run a function: its reserved concurrency, or that of the account, is used up.',
    },
    DamagedItems: {
      // An item that is read now and then opens one ticket, not one each time.
      metric: indicators.damagedItems(Duration.hours(1)),
      threshold: 0,
      meaning: 'A stored item does not parse: lists omit it, and reading it returns a 5xx.',
    },
  };
  for (const table of tables) {
    definitions[`TablesThrottled-${table.id}`] = {
      metric: throttles(table),
      // A few do not matter: the functions retry.
      threshold: 10,
      ...twoOfThree,
      meaning: 'DynamoDB throttles the table or an index: a partition has reached its limit.',
    };
  }
  if (settings.fairUse) {
    const withKey = 'FILL(blocked, 0) - FILL(withoutKey, 0)';
    const all = `FILL(allowed, 0) + ${withKey}`;
    definitions['WebAclBlocks'] = {
      metric: new cloudwatch.MathExpression({
        label: 'Blocked share of requests with a key',
        period: Duration.minutes(5),
        expression: `(${withKey}) / IF(${all} > 100, ${all}, 100)`,
        usingMetrics: {
          allowed: allowedRequests(restApi),
          blocked: blockedRequests(restApi),
          withoutKey: blockedRequests(restApi, 'NoKey'),
        },
      }),
      threshold: 0.1,
      ...twoOfThree,
      meaning: 'The web ACL blocks more than a tenth of the requests that have a key.',
    };
  }
  if (domain) {
    definitions['CertificateExpires'] = {
      // https://docs.aws.amazon.com/acm/latest/userguide/cloudwatch-metrics.html
      metric: domain.certificate.metricDaysToExpiry(),
      threshold: 30,
      comparisonOperator: cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD,
      meaning: "The domain's certificate expires in less than 30 days: ACM could not renew it.",
    };
  }
  return definitions;
}
