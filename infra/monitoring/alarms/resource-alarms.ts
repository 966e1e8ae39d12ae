import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { type Indicators, shareOf, type Watched } from '../indicators.ts';
import { throttles } from '../table-throttles.ts';
import { allowedRequests, blockedRequests } from '../web-acl-metrics.ts';
import { type AlarmDefinition, type AlarmDefinitions, twoOfThree } from './alarms.ts';

/** Returns the alarms on what AWS itself counts, and on stored items. */
export function resourceAlarms(
  { settings, api, functions, tables }: Watched,
  indicators: Indicators,
): AlarmDefinitions {
  const { restApi, accessLogs } = api;
  const requests = restApi.metricCount({ statistic: cloudwatch.Stats.SUM });
  const lines = new cloudwatch.Metric({
    namespace: 'AWS/Logs',
    metricName: 'IncomingLogEvents',
    dimensionsMap: { LogGroupName: accessLogs.logGroupName },
    statistic: cloudwatch.Stats.SUM,
  });

  const definitions: Record<string, AlarmDefinition> = {
    GatewayErrors: {
      causeOf: 'page',
      // 0.05 × 180 = 9, so at least ten errors.
      metric: shareOf(restApi.metricServerError(), { total: requests, atLeast: 180, minutes: 5 }),
      threshold: 0.05,
      ...twoOfThree,
      meaning: "By API Gateway's own count, more than 5% of responses are a 5xx.",
    },
    AccessLogEmpty: {
      causeOf: 'page',
      // A line that comes late belongs to one period at most.
      metric: new cloudwatch.MathExpression({
        label: 'Requests without a log line',
        expression: 'IF(FILL(requests, 0) >= 5, IF(FILL(lines, 0) > 0, 0, 1), 0)',
        usingMetrics: { requests, lines },
      }),
      threshold: 0,
      evaluationPeriods: 3,
      meaning:
        'For 15 minutes, API Gateway has counted requests that are not in the access log: most other alarms are blind.',
    },
    DamagedItems: {
      // An item that is read now and then opens one ticket, not one each time.
      metric: indicators.damagedItems(Duration.hours(1)),
      threshold: 0,
      meaning: 'Within an hour, a function found a damaged item.',
      causeOf: 'a-damaged-item',
    },
  };
  for (const { node, function: target } of functions) {
    definitions[`FunctionsThrottled-${node.id}`] = {
      metric: target.metricThrottles(),
      threshold: 0,
      ...twoOfThree,
      meaning:
        'Lambda refuses to run a function: its reserved concurrency, or that of the account, is used up.',
      causeOf: 'functions-or-tables-are-throttled',
    };
  }
  for (const table of tables) {
    definitions[`TablesThrottled-${table.id}`] = {
      metric: throttles(table),
      // A few do not matter: the functions retry.
      threshold: 10,
      ...twoOfThree,
      meaning: 'DynamoDB throttles a table or an index: a partition has reached its limit.',
      causeOf: 'functions-or-tables-are-throttled',
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
      meaning: 'Within 5 minutes, more than 10% of the requests that have a key were blocked.',
      causeOf: 'the-web-acl-blocks-clients',
    };
  }
  return definitions;
}
