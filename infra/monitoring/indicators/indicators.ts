import type { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type ILogGroup, MetricFilter, type MetricFilterProps } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { operations } from '../../../shared/contract/operations.ts';
import { damagedItemMessage } from '../../../shared/tables/stored-item.ts';
import { slowAfterMilliseconds } from '../../settings/objectives.ts';
import type { Watched } from './watched.ts';

/** Requests that reached an operation or failed: a flood without valid keys does not hide errors. */
const served = '(($.status >= 500) || (($.client != "-") && ($.status != 405) && ($.status != 429)))';

/** Filter patterns on the access log, where `status` and `latency` are numbers. */
const accessLogPatterns = {
  Served: `{ ${served} }`,
  Errors: '{ $.status >= 500 }',
  Slow: `{ ${served} && ($.latency > ${slowAfterMilliseconds}) }`,
  Rejected: `{ ${served} && (($.status = 400) || ($.status = 404)) }`,
  Unauthorized: '{ $.status = 401 }',
  // The web ACL already handles what it blocks.
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
 * A stage's service level indicators, counted by metric filters on its logs. API Gateway's metrics may leave
 * out gateway responses with a changed status, and Lambda counts no errors that Middy turns into responses.
 */
export class Indicators extends Construct {
  readonly namespace: string;

  constructor(scope: Construct, id: string, { accessLogs, functions, stage }: Watched) {
    super(scope, id);
    this.namespace = `PetStore/${stage}`;

    for (const [name, pattern] of Object.entries(accessLogPatterns)) this.#filter(name, accessLogs, pattern);
    for (const { operationId, method, path } of Object.values(operations)) {
      const called = `($.method = "${method}") && ($.path = "${path}")`;
      this.#filter(`Served-${operationId}`, accessLogs, `{ ${called} && ${served} }`);
      this.#filter(`Errors-${operationId}`, accessLogs, `{ ${called} && ($.status >= 500) }`);
    }
    for (const { node, logGroup } of Object.values(functions)) {
      this.#filter(`DamagedPetsOf${node.id}`, logGroup, `{ $.message.message = "${damagedItemMessage}" }`, {
        ...counted,
        metricName: 'DamagedPets',
      });
      // Lambda itself counts functions that throw or time out.
      this.#filter(`FaultsOf${node.id}`, logGroup, `{ ($.level = "ERROR") && (${functionVersion} = *) }`, {
        dimensions: { FunctionVersion: functionVersion },
      });
      this.#filter(`InitDurationOf${node.id}`, logGroup, `{ ${initDuration} = * }`, {
        metricName: 'InitDuration',
        metricValue: initDuration,
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

  /**
   * Returns an indicator as a share of the requests in a period. At least `atLeast` requests are assumed, so
   * that with few requests an alarm needs a fixed number of errors: a small stage's outage causes a page.
   */
  share(
    counted: Indicator,
    { of = 'Served', atLeast, period }: { of?: Indicator; atLeast: number; period: Duration },
  ): MathExpression {
    // These are rejected before they reach an operation, so they are not among those served.
    const isRejected = counted === 'Unauthorized' || counted === 'Throttled';
    const total = isRejected ? '(FILL(total, 0) + FILL(counted, 0))' : 'FILL(total, 0)';
    return new MathExpression({
      label: 'Share of requests',
      period,
      expression: `FILL(counted, 0) / IF(${total} > ${atLeast}, ${total}, ${atLeast})`,
      usingMetrics: { counted: this.metric(counted), total: this.metric(of) },
    });
  }

  #filter(
    id: string,
    logGroup: ILogGroup,
    pattern: string,
    options: Partial<MetricFilterProps> = counted,
  ): void {
    new MetricFilter(this, id, {
      logGroup,
      metricNamespace: this.namespace,
      metricName: id,
      filterPattern: FilterPattern.literal(pattern),
      ...options,
    });
  }
}

/** A minute without matching lines is 0, not a gap. */
const counted = { metricValue: '1', defaultValue: 0 };
