import { Alarm, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Annotations, Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { serviceName } from '../../shared/service.ts';
import { firesAbove } from '../monitoring/add-alarms.ts';
import type { AlarmKind } from '../monitoring/alarm-kinds.ts';
import type { Indicators } from '../monitoring/indicators.ts';
import type { HandlerFunction } from '../service/handler-function.ts';
import type { Objectives } from '../settings/objectives.ts';
import { canary } from './canary.ts';

/** The share of faults above which a release rolls back: of all requests, and of a new version's. */
const faultLimit = 0.02;

/** Fewer requests count as this many, so that a single error does not roll back a release. */
const assumedRequests = 50;

/**
 * How many alarms each deployment group takes everywhere. CodeDeploy's reference still says so, but its quota is 50
 * and can be raised. A stack has room for about 16 operations.
 * https://docs.aws.amazon.com/codedeploy/latest/userguide/limits.html
 */
const certainAlarms = 10;

/** Returns the alarms that roll back a release; only CodeDeploy sees them. */
export function rollbackAlarms(
  scope: Construct,
  indicators: Pick<Indicators, 'share' | 'ofVersion'>,
  functions: readonly HandlerFunction[],
  objectives: Objectives,
): Alarm[] {
  const nameOf = (id: string) => `${Stack.of(scope).stackName}-${'Release' satisfies AlarmKind}-${id}`;
  // Also errors no function reports, such as a response that API Gateway does not understand.
  const errorAlarm = new Alarm(scope, 'Errors', {
    alarmName: nameOf('Errors'),
    alarmDescription: `More than ${faultLimit * 100}% of requests get a 5xx: the release in progress is rolled back.`,
    metric: indicators.share('Errors', { atLeast: assumedRequests, minutes: 1 }),
    threshold: faultLimit,
    datapointsToAlarm: 2,
    evaluationPeriods: 5,
    ...firesAbove,
  });
  const versionAlarms = functions.map((target) => {
    const { id } = target.node;
    return new Alarm(scope, id, {
      alarmName: nameOf(id),
      alarmDescription: `Too many invocations of a new version of ${id} fail, are slow or are rejected: the release is rolled back.`,
      metric: isAboveLimit(target, indicators, objectives),
      threshold: 0,
      evaluationPeriods: 1,
      ...firesAbove,
    });
  });
  const alarms = [errorAlarm, ...versionAlarms];
  if (alarms.length > certainAlarms) {
    Annotations.of(scope).addWarningV2(
      `${serviceName}:rollback-alarms`,
      `Each deployment group gets ${alarms.length} alarms. Before the first deploy, see whether the quota "Associated alarms per deployment group" of CodeDeploy allows them: aws service-quotas list-service-quotas --service-code codedeploy.`,
    );
  }
  return alarms;
}

/** Returns 1 if too many invocations of a new version throw or time out, log a fault, are slow, or are rejected. */
function isAboveLimit(
  target: HandlerFunction,
  indicators: Pick<Indicators, 'share' | 'ofVersion'>,
  { slowAfterMilliseconds }: Objectives,
) {
  const { functionName, currentVersion } = target.function;
  const { version } = currentVersion;
  // https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-view.html
  const Resource = `${functionName}:${target.live.aliasName}`;
  const dimensionsMap = { FunctionName: functionName, Resource, ExecutedVersion: version };
  const metric = (metricName: string, statistic: string = Stats.SUM) =>
    new Metric({ namespace: 'AWS/Lambda', metricName, statistic, dimensionsMap });

  const conditions = {
    errors: { limit: faultLimit, metric: metric('Errors') },
    faults: { limit: faultLimit, metric: indicators.ofVersion('Faults', target, version) },
    // The number of longer durations.
    // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Statistics-definitions.html
    slow: { limit: 0.1, metric: metric('Duration', `TC(${slowAfterMilliseconds}:)`) },
    rejections: { limit: 0.9, metric: indicators.ofVersion('Rejections', target, version) },
  };
  const invocations = `IF(FILL(invocations, 0) > ${assumedRequests}, invocations, ${assumedRequests})`;
  const entries = Object.entries(conditions);
  const isAbove = entries.map(([id, { limit }]) => `(FILL(${id}, 0) > ${limit} * ${invocations})`);
  return new MathExpression({
    label: 'Above a limit',
    // All of it, because it gets few requests. A new version has no earlier data.
    period: canary.duration,
    expression: `IF(${isAbove.join(' || ')}, 1, 0)`,
    usingMetrics: {
      invocations: metric('Invocations'),
      ...Object.fromEntries(entries.map(([id, { metric }]) => [id, metric])),
    },
  });
}
