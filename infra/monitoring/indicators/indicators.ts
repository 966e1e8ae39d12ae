import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { functionsOf, type Watched } from './watched.ts';

/** A response slower than this many milliseconds counts against the objective for latency. */
export const slowAfterMilliseconds = 1000;

/**
 * What the service has done of what it was asked to: a request that was refused for its key, for too many others, or
 * because no such path exists is neither a success nor a failure. A flood of those must not hide errors.
 */
const served = '($.status != 401) && ($.status != 429) && ($.responseType != "MISSING_AUTHENTICATION_TOKEN")';

/** What functions log of their faults, what Lambda logs of a function that throws, and its report of one that timed out. */
const faultPattern = '{ ($.level = "ERROR") || ($.record.status = "timeout") }';

/** What counts as what in the access log: `status` and `latency` are numbers in it. */
const accessLogPatterns = {
  Requests: '{ $.status = * }',
  Served: `{ ${served} }`,
  Errors: '{ $.status >= 500 }',
  Slow: `{ ${served} && ($.latency > ${slowAfterMilliseconds}) }`,
  Unauthorized: '{ $.status = 401 }',
  Throttled: '{ $.status = 429 }',
  AuthorizerFaults:
    '{ ($.responseType = "AUTHORIZER_FAILURE") || ($.responseType = "AUTHORIZER_CONFIGURATION_ERROR") }',
} as const;

const accessLogIndicators = [
  'Requests',
  'Served',
  'Errors',
  'Slow',
  'Unauthorized',
  'Throttled',
  'AuthorizerFaults',
] as const satisfies readonly (keyof typeof accessLogPatterns)[];

export type Indicator = keyof typeof accessLogPatterns | 'Faults' | 'InitDuration';

/**
 * The service level indicators of a stage, counted by metric filters on its logs. API Gateway's own metrics may leave out
 * a gateway response whose status was changed, and Lambda's errors stay near zero where Middy turns every fault into a
 * response.
 */
export class Indicators extends Construct {
  readonly #namespace: string;

  constructor(scope: Construct, id: string, watched: Watched) {
    super(scope, id);
    const { stage, accessLogs } = watched;
    this.#namespace = `PetStore/${stage}`;

    for (const name of accessLogIndicators) this.#count(name, accessLogs, name, accessLogPatterns[name]);
    for (const { node, logGroup } of functionsOf(watched)) {
      this.#count(`FaultsOf${node.id}`, logGroup, 'Faults', faultPattern);
      new MetricFilter(this, `InitDurationOf${node.id}`, {
        logGroup,
        metricNamespace: this.#namespace,
        metricName: 'InitDuration',
        metricValue: '$.record.metrics.initDurationMs',
        filterPattern: FilterPattern.literal('{ $.record.metrics.initDurationMs = * }'),
      });
    }
  }

  /** The metric of an indicator: how often it was counted, unless another statistic is asked for. */
  metric(metricName: Indicator, statistic: string = Stats.SUM): Metric {
    return new Metric({ namespace: this.#namespace, metricName, statistic });
  }

  #count(id: string, logGroup: ILogGroup, metricName: Indicator, pattern: string): void {
    new MetricFilter(this, id, {
      logGroup,
      metricNamespace: this.#namespace,
      metricName,
      metricValue: '1',
      // A minute with lines of which none matches has a zero, not a gap.
      defaultValue: 0,
      filterPattern: FilterPattern.literal(pattern),
    });
  }
}
