import { Duration } from 'aws-cdk-lib';
import { Alarm, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { firesAbove } from '../monitoring/alarms/causes.ts';
import type { Indicators } from '../monitoring/indicators/indicators.ts';
import type { HandlerFunction } from '../service/handler-function.ts';
import { slowAfterMilliseconds } from '../settings/objectives.ts';

/** The share of errors that rolls back a release: a canary that fails every request fails a tenth of all. */
const errorShare = 0.02;

/** Minimum request count assumed per period, so that a single error does not roll back a release. */
const leastRequests = 50;

/** Five minutes: a canary receives few requests, and its metrics arrive late. */
const versionPeriod = Duration.minutes(5);
const onceInTwo = { evaluationPeriods: 2, datapointsToAlarm: 1, ...firesAbove };

/** Returns a callback that creates a Lambda function's rollback alarms; only CodeDeploy sees them. */
export function rollbackAlarms(scope: Construct, indicators: Indicators) {
  // Also errors no function reports, such as a response that API Gateway does not understand.
  const ofAllRequests = new Alarm(scope, 'Errors', {
    alarmDescription: `More than ${errorShare * 100}% of requests get a 5xx: the release in progress is rolled back.`,
    metric: indicators.share('Errors', { atLeast: leastRequests, period: Duration.minutes(1) }),
    threshold: errorShare,
    datapointsToAlarm: 2,
    evaluationPeriods: 5,
    ...firesAbove,
  });

  /** Watches a new version, relative to the invocations of that version alone. */
  return ({ node, function: { functionName, currentVersion }, live }: HandlerFunction): Alarm[] => {
    // https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-view.html
    const metric = (metricName: string, statistic: string = Stats.SUM) =>
      new Metric({
        namespace: 'AWS/Lambda',
        metricName,
        statistic,
        period: versionPeriod,
        dimensionsMap: {
          FunctionName: functionName,
          Resource: `${functionName}:${live.aliasName}`,
          ExecutedVersion: currentVersion.version,
        },
      });
    const errors = new MathExpression({
      label: 'Errors per invocation',
      period: versionPeriod,
      // An invocation that logs a fault and throws is one error.
      expression: `IF(FILL(errors, 0) > FILL(faults, 0), FILL(errors, 0), FILL(faults, 0)) / IF(FILL(invocations, 0) > ${leastRequests}, invocations, ${leastRequests})`,
      usingMetrics: {
        errors: metric('Errors'),
        faults: indicators.faults(node.id, currentVersion.version),
        invocations: metric('Invocations'),
      },
    });
    const onErrors = new Alarm(scope, `${node.id}Errors`, {
      alarmDescription: `More than ${errorShare * 100}% of the new version's invocations fail: the release is rolled back.`,
      metric: errors,
      threshold: errorShare,
      ...onceInTwo,
    });
    const onDuration = new Alarm(scope, `${node.id}Duration`, {
      alarmDescription: `More than a tenth of the new version's invocations take over ${slowAfterMilliseconds} ms: the release is rolled back.`,
      metric: metric('Duration', Stats.p(90)),
      threshold: slowAfterMilliseconds,
      // Ignored below 100 invocations: a single slow request does not count.
      evaluateLowSampleCountPercentile: 'ignore',
      ...onceInTwo,
    });
    return [ofAllRequests, onErrors, onDuration];
  };
}
