import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { damagedPetMessage } from '../../../shared/lambda/log.ts';
import { functionsOf, type Watched } from './watched.ts';

/** A response slower than this many milliseconds counts against the objective for latency. */
export const slowAfterMilliseconds = 1000;

/**
 * Requests that reached an operation: the authorizer knew the client, no limit was reached and the path has the method, or
 * the service failed. A flood of requests without a valid key or to unknown paths is not among them, so it cannot hide errors.
 */
const served = '(($.status >= 500) || (($.client != "-") && ($.status != 405) && ($.status != 429)))';

/** Filter patterns on the access log, where `status` and `latency` are numbers. */
const accessLogPatterns = {
  Served: `{ ${served} }`,
  Errors: '{ $.status >= 500 }',
  Slow: `{ ${served} && ($.latency > ${slowAfterMilliseconds}) }`,
  Rejected: `{ ${served} && (($.status = 400) || ($.status = 404)) }`,
  Unauthorized: '{ $.status = 401 }',
  // What the web ACL blocks is under control.
  Throttled: '{ ($.status = 429) && ($.waf != "WAF_BLOCK") }',
  AuthorizerFaults:
    '{ ($.responseType = "AUTHORIZER_FAILURE") || ($.responseType = "AUTHORIZER_CONFIGURATION_ERROR") }',
} as const;

const initDuration = '$.record.metrics.initDurationMs';
const functionVersion = '$.message.functionVersion';

export type Indicator =
  | keyof typeof accessLogPatterns
  | `${'Errors' | 'Served'}-${string}`
  | `FaultsOf${string}`
  | 'DamagedPets'
  | 'InitDuration';

/**
 * The service level indicators of a stage, counted by metric filters on its logs. API Gateway's own metrics may leave out
 * gateway responses whose status was changed, and Lambda's errors stay near zero because Middy turns faults into responses.
 */
export class Indicators extends Construct {
  readonly namespace: string;

  constructor(scope: Construct, id: string, watched: Watched) {
    super(scope, id);
    const { accessLogs, routes, stage } = watched;
    this.namespace = `PetStore/${stage}`;

    for (const [name, pattern] of Object.entries(accessLogPatterns)) this.#count(accessLogs, name, pattern);
    for (const { operation } of routes) {
      const { operationId, method, path } = operation;
      const called = `($.method = "${method}") && ($.path = "${path}")`;
      this.#count(accessLogs, `Served-${operationId}`, `{ ${called} && ${served} }`);
      this.#count(accessLogs, `Errors-${operationId}`, `{ ${called} && ($.status >= 500) }`);
    }
    for (const { node, logGroup } of functionsOf(watched)) {
      const damaged = `{ $.message.message = "${damagedPetMessage}" }`;
      this.#count(logGroup, 'DamagedPets', damaged, `DamagedPetsOf${node.id}`);
      // Lambda itself counts functions that throw or time out.
      new MetricFilter(this, `FaultsOf${node.id}`, {
        logGroup,
        metricNamespace: this.namespace,
        metricName: `FaultsOf${node.id}`,
        filterPattern: FilterPattern.literal(`{ ($.level = "ERROR") && (${functionVersion} = *) }`),
        dimensions: { FunctionVersion: functionVersion },
      });
      new MetricFilter(this, `InitDurationOf${node.id}`, {
        logGroup,
        metricNamespace: this.namespace,
        metricName: 'InitDuration',
        metricValue: initDuration,
        filterPattern: FilterPattern.literal(`{ ${initDuration} = * }`),
      });
    }
  }

  /** Returns the metric of an indicator: its count, unless another statistic is given. */
  metric(metricName: Indicator, statistic: string = Stats.SUM): Metric {
    return new Metric({ namespace: this.namespace, metricName, statistic });
  }

  /** Returns how many faults a version of a function logged. */
  faults(functionId: string, FunctionVersion: string): Metric {
    return this.metric(`FaultsOf${functionId}`).with({ dimensionsMap: { FunctionVersion } });
  }

  #count(logGroup: ILogGroup, metricName: string, pattern: string, id = metricName): void {
    new MetricFilter(this, id, {
      logGroup,
      metricNamespace: this.namespace,
      metricName,
      metricValue: '1',
      // A minute without matching lines is 0, not a gap.
      defaultValue: 0,
      filterPattern: FilterPattern.literal(pattern),
    });
  }
}
