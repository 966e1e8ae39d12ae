import { Duration } from 'aws-cdk-lib';
import { Alarm, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { type Indicators, slowAfterMilliseconds } from '../monitoring/indicators/indicators.ts';
import { firesAbove, share } from '../monitoring/indicators/share.ts';
import type { HandlerFunction } from '../service/handler-function.ts';

/** The share of errors that rolls back a release: a canary that fails every request fails a tenth of all. */
const errorShare = 0.02;

/** Minimum request count assumed per period, so that two errors roll back a release but a single one does not. */
const leastRequests = 50;

/** A canary's requests are few: five minutes have some, and are longer than metrics are late. */
const versionWindow = { period: Duration.minutes(5), evaluationPeriods: 2, datapointsToAlarm: 1 };

/** The alarms that roll back a release; they notify only CodeDeploy. */
export class RollbackAlarms extends Construct {
  readonly #indicators: Indicators;
  readonly #ofAllRequests: Alarm;

  constructor(scope: Construct, id: string, indicators: Indicators) {
    super(scope, id);
    this.#indicators = indicators;
    // Errors that no function reports, such as a response that API Gateway does not understand.
    this.#ofAllRequests = new Alarm(this, 'Errors', {
      alarmDescription: `More than ${errorShare * 100} % of requests get a 5xx: the release in progress is rolled back.`,
      metric: share({
        counted: indicators.metric('Errors'),
        of: indicators.metric('Served'),
        atLeast: leastRequests,
        period: Duration.minutes(1),
      }),
      threshold: errorShare,
      datapointsToAlarm: 2,
      evaluationPeriods: 5,
      ...firesAbove,
    });
  }

  /** Creates the alarms of a function's new version, relative to the invocations of that version alone. */
  of({ node, function: { functionName, currentVersion }, live }: HandlerFunction): Alarm[] {
    const { period, ...evaluation } = versionWindow;
    // https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-view.html
    const metric = (metricName: string, statistic: string = Stats.SUM) =>
      new Metric({
        namespace: 'AWS/Lambda',
        metricName,
        statistic,
        period,
        dimensionsMap: {
          FunctionName: functionName,
          Resource: `${functionName}:${live.aliasName}`,
          ExecutedVersion: currentVersion.version,
        },
      });
    const errors = new MathExpression({
      label: 'Errors per invocation',
      period,
      // An invocation that logs a fault and throws is one error.
      expression: `IF(FILL(errors, 0) > FILL(faults, 0), FILL(errors, 0), FILL(faults, 0)) / IF(FILL(invocations, 0) > ${leastRequests}, invocations, ${leastRequests})`,
      usingMetrics: {
        errors: metric('Errors'),
        faults: this.#indicators.faults(node.id, currentVersion.version),
        invocations: metric('Invocations'),
      },
    });
    return [
      this.#ofAllRequests,
      new Alarm(this, `${node.id}Errors`, {
        alarmDescription: `More than ${errorShare * 100} % of the new version's invocations fail: the release is rolled back.`,
        metric: errors,
        threshold: errorShare,
        ...evaluation,
        ...firesAbove,
      }),
      new Alarm(this, `${node.id}Duration`, {
        alarmDescription: `More than a tenth of the new version's invocations take over ${slowAfterMilliseconds} ms: the release is rolled back.`,
        metric: metric('Duration', Stats.p(90)),
        threshold: slowAfterMilliseconds,
        // Not before there are 100 invocations: a single slow request does not count.
        evaluateLowSampleCountPercentile: 'ignore',
        ...evaluation,
        ...firesAbove,
      }),
    ];
  }
}
