import { Duration } from 'aws-cdk-lib';
import { Alarm, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { firesAbove } from '../monitoring/alarms/alarms.ts';
import type { Indicators } from '../monitoring/indicators/indicators.ts';
import type { HandlerFunction } from '../service/handler-function.ts';
import { slowAfterMilliseconds } from '../settings/objectives.ts';

/**
 * The shares of requests, or of a new version's invocations, above which a release is rolled back. `errors`
 * are thrown or time out, `faults` are logged, and `rejections` are a client's fault, or the release's.
 */
const limits = { errors: 0.02, faults: 0.02, slow: 0.1, rejections: 0.9 } as const;

/** At least as many requests are assumed, so that a single error does not roll back a release. */
const leastRequests = 50;

/** The whole canary, which receives few requests: a new version has no earlier data. */
const canary = Duration.minutes(15);

/**
 * A deployment group has at most ten alarms, of which one watches all requests. An alarm has at most ten
 * metrics, so it can watch two functions.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-limits.html
 */
const mostVersionAlarms = 9;

/** Returns the alarms that roll back a release; only CodeDeploy sees them. */
export function rollbackAlarms(
  scope: Construct,
  indicators: Indicators,
  functions: readonly HandlerFunction[],
): Alarm[] {
  // Also errors no function reports, such as a response that API Gateway does not understand.
  const ofAllRequests = new Alarm(scope, 'Errors', {
    alarmDescription: `More than ${limits.errors * 100}% of requests get a 5xx: the release in progress is rolled back.`,
    metric: indicators.share('Errors', { atLeast: leastRequests, period: Duration.minutes(1) }),
    threshold: limits.errors,
    datapointsToAlarm: 2,
    evaluationPeriods: 5,
    ...firesAbove,
  });
  const functionsPerAlarm = Math.ceil(functions.length / mostVersionAlarms);
  const groups = Map.groupBy(functions, (target) =>
    Math.floor(functions.indexOf(target) / functionsPerAlarm),
  );
  const ofVersions = [...groups.values()].map((group) => {
    const names = group.map(({ node }) => node.id);
    return new Alarm(scope, names.join(''), {
      alarmDescription: `Of the new version of ${names.join(' or ')}, too many invocations fail, are slow or are rejected: the release is rolled back.`,
      metric: new MathExpression({
        label: 'Above a limit',
        period: canary,
        expression: `IF(${names.map((_name, index) => isAboveLimit(index)).join(' || ')}, 1, 0)`,
        usingMetrics: Object.assign(
          {},
          ...group.map((target, index) => metricsOf(indicators, target, index)),
        ),
      }),
      threshold: 0,
      evaluationPeriods: 1,
      ...firesAbove,
    });
  });
  return [ofAllRequests, ...ofVersions];
}

/** Returns an expression that is true if a new version's invocations exceed one of the limits. */
function isAboveLimit(index: number): string {
  const invocations = `IF(FILL(invocations${index}, 0) > ${leastRequests}, invocations${index}, ${leastRequests})`;
  return Object.entries(limits)
    .map(([id, limit]) => `(FILL(${id}${index}, 0) > ${limit} * ${invocations})`)
    .join(' || ');
}

/** Returns the metrics of a new version alone, by id. */
function metricsOf(indicators: Indicators, { node, function: target, live }: HandlerFunction, index: number) {
  const { functionName, currentVersion } = target;
  // https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-view.html
  const metric = (metricName: string, statistic: string = Stats.SUM) =>
    new Metric({
      namespace: 'AWS/Lambda',
      metricName,
      statistic,
      dimensionsMap: {
        FunctionName: functionName,
        Resource: `${functionName}:${live.aliasName}`,
        ExecutedVersion: currentVersion.version,
      },
    });
  return {
    [`invocations${index}`]: metric('Invocations'),
    [`errors${index}`]: metric('Errors'),
    // The number of longer durations.
    // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Statistics-definitions.html
    [`slow${index}`]: metric('Duration', `TC(${slowAfterMilliseconds}:)`),
    [`faults${index}`]: indicators.metric(`FaultsOf${node.id}`, currentVersion.version),
    [`rejections${index}`]: indicators.metric(`RejectionsOf${node.id}`, currentVersion.version),
  };
}
