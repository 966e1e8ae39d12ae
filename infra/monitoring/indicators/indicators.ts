import type { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { operations } from '../../../shared/contract/operations.ts';
import { requestRejectedMessage } from '../../../shared/lambda/log.ts';
import { damagedItemMessage } from '../../../shared/tables/stored-item.ts';
import { slowAfterMilliseconds } from '../../settings/objectives.ts';
import type { Watched } from './watched.ts';

/** Requests that reached an operation or failed: a flood without valid keys does not hide errors. */
const served = '(($.status >= 500) || (($.client != "-") && ($.status != 405) && ($.status != 429)))';

/** Filter patterns on the access log, where `status` and `latency` are numbers. */
const accessLogPatterns = {
  Served: served,
  Errors: '$.status >= 500',
  Slow: `${served} && ($.latency > ${slowAfterMilliseconds})`,
  // The authorizer denied a key of the right form.
  Denied: '$.responseType = "ACCESS_DENIED"',
  // The web ACL already handles what it blocks.
  Throttled: '($.status = 429) && ($.waf != "WAF_BLOCK")',
  AuthorizerFaults:
    '($.responseType = "AUTHORIZER_FAILURE") || ($.responseType = "AUTHORIZER_CONFIGURATION_ERROR")',
} as const;

/** Filter patterns on the access log, for the requests to each operation. */
const operationPatterns = {
  Served: served,
  Errors: '($.status >= 500)',
  Rejected: `${served} && (($.status = 400) || ($.status = 404))`,
} as const;

/** Filter patterns on a function's log, counted for each version of the function. */
const FunctionVersion = '$.message.functionVersion';
const versionPatterns = {
  // Lambda itself counts functions that throw or time out. A warning is not a fault.
  Faults: `($.level = "ERROR") && (${FunctionVersion} = *)`,
  // From the sunset of an operation on, all its requests get a 410.
  Rejections: `($.message.message = "${requestRejectedMessage}") && ($.message.code != "gone")`,
} as const;

export type Indicator =
  | keyof typeof accessLogPatterns
  | `${keyof typeof operationPatterns}-${string}`
  | `${keyof typeof versionPatterns}Of${string}`
  | 'DamagedItems';

/**
 * A stage's service level indicators, counted by metric filters on its logs. API Gateway's metrics may leave
 * out gateway responses with a changed status, and Lambda counts no errors that Middy turns into responses.
 */
export class Indicators extends Construct {
  readonly #namespace: string;

  constructor(scope: Construct, id: string, { accessLogs, functions, stage }: Watched) {
    super(scope, id);
    this.#namespace = `PetStore/${stage}`;

    for (const [name, pattern] of Object.entries(accessLogPatterns)) this.#count(name, accessLogs, pattern);
    for (const { operationId, method, path } of Object.values(operations)) {
      for (const [name, pattern] of Object.entries(operationPatterns)) {
        const called = `($.method = "${method}") && ($.path = "${path}") && ${pattern}`;
        this.#count(`${name}-${operationId}`, accessLogs, called);
      }
    }
    for (const { node, logGroup } of Object.values(functions)) {
      const damaged = `$.message.message = "${damagedItemMessage}"`;
      this.#count(`DamagedItemsOf${node.id}`, logGroup, damaged, {
        metricName: 'DamagedItems',
        defaultValue: 0,
      });
      for (const [name, pattern] of Object.entries(versionPatterns)) {
        this.#count(`${name}Of${node.id}`, logGroup, pattern, { dimensions: { FunctionVersion } });
      }
    }
  }

  /** Returns the count of an indicator, or of one version of a function. */
  metric(metricName: Indicator, version?: string): Metric {
    return new Metric({
      namespace: this.#namespace,
      metricName,
      statistic: Stats.SUM,
      ...(version !== undefined && { dimensionsMap: { FunctionVersion: version } }),
    });
  }

  /** Returns an indicator as a share of requests. */
  share(counted: Indicator, { of = 'Served', ...floor }: { of?: Indicator } & Floor): MathExpression {
    // These are rejected before they reach an operation, so they are not among those served.
    const isInTotal = counted !== 'Denied' && counted !== 'Throttled';
    return shareOf(this.metric(counted), this.metric(of), { ...floor, isInTotal });
  }

  #count(
    id: string,
    logGroup: ILogGroup,
    pattern: string,
    // A minute without matching lines is 0, not a gap.
    options: object = { defaultValue: 0 },
  ): void {
    new MetricFilter(this, id, {
      logGroup,
      metricNamespace: this.#namespace,
      metricName: id,
      metricValue: '1',
      filterPattern: FilterPattern.literal(`{ ${pattern} }`),
      ...options,
    });
  }
}

interface Floor {
  /** The number of requests assumed if there are fewer: a small stage's alarm needs a fixed number of errors. */
  readonly atLeast: number;
  readonly period: Duration;
}

/** Returns a metric as a share of another, or of both if it is not part of the total. */
export function shareOf(
  counted: IMetric,
  total: IMetric,
  { atLeast, period, isInTotal = true }: Floor & { isInTotal?: boolean },
) {
  const all = isInTotal ? 'FILL(total, 0)' : '(FILL(total, 0) + FILL(counted, 0))';
  return new MathExpression({
    label: 'Share of requests',
    period,
    expression: `FILL(counted, 0) / IF(${all} > ${atLeast}, ${all}, ${atLeast})`,
    usingMetrics: { counted, total },
  });
}
