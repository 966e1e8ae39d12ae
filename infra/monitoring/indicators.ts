import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { operations } from '../../shared/contract/operations.ts';
import { requestRejectedMessage } from '../../shared/lambda/log.ts';
import { damagedItemMessage } from '../../shared/tables/stored-item.ts';
import type { HandlerFunction } from '../service/handler-function.ts';
import type { PetStoreApi } from '../service/pet-store-api.ts';
import type { UsedTable } from '../service/tables.ts';
import { slowAfterMilliseconds } from '../settings/objectives.ts';
import type { StageSettings } from '../settings/stages.ts';

/** What is monitored. */
export interface Watched {
  readonly stage: string;
  readonly settings: StageSettings;
  readonly api: PetStoreApi;
  /** The authorizer, and the function of each operation. */
  readonly functions: readonly HandlerFunction[];
  readonly tables: readonly UsedTable[];
}

/** Requests that reached an operation or failed: a flood without valid keys does not hide errors. */
const served = '(($.status >= 500) || (($.client != "-") && ($.status != 405) && ($.status != 429)))';
// The authorizer denied a key of the right form.
const denied = '($.responseType = "ACCESS_DENIED")';
// The web ACL already handles what it blocks.
const throttled = '(($.status = 429) && ($.waf != "WAF_BLOCK"))';

/** Filter patterns on the access log, where `status` and `latency` are numbers. */
const accessLogPatterns = {
  Served: served,
  Errors: '($.status >= 500)',
  Slow: `${served} && ($.latency > ${slowAfterMilliseconds})`,
  Denied: denied,
  ServedOrDenied: `${served} || ${denied}`,
  Throttled: throttled,
  ServedOrThrottled: `${served} || ${throttled}`,
};

/** Filter patterns on the access log, counted for each operation. */
const operationPatterns = {
  Served: served,
  Errors: '($.status >= 500)',
  Rejected: `${served} && (($.status = 400) || ($.status = 404))`,
};

/** Filter patterns on a function's log, counted for each version of the function. */
const FunctionVersion = '$.message.functionVersion';
const versionPatterns = {
  // Lambda itself counts functions that throw or time out. A warning is not a fault.
  Faults: `($.level = "ERROR") && (${FunctionVersion} = *)`,
  // A client that polls what does not exist would block every release, as would an operation past its sunset.
  Rejections: `($.message.message = "${requestRejectedMessage}") && ($.message.code != "not_found") && ($.message.code != "gone")`,
};

/**
 * A stage's service level indicators, counted by metric filters on its logs. API Gateway's metrics may leave
 * out gateway responses with a changed status, and Lambda counts no errors that Middy turns into responses.
 */
export class Indicators extends Construct {
  readonly #namespace: string;

  constructor(scope: Construct, id: string, { api: { accessLogs }, functions, stage }: Watched) {
    super(scope, id);
    this.#namespace = `PetStore/${stage}`;
    // A minute without matching lines is 0, not a gap.
    const defaultValue = 0;

    for (const [name, pattern] of Object.entries(accessLogPatterns)) {
      this.#count(name, accessLogs, pattern, { defaultValue });
    }
    for (const { operationId, method, path } of Object.values(operations)) {
      const called = `($.method = "${method}") && ($.path = "${path}")`;
      for (const [name, pattern] of Object.entries(operationPatterns)) {
        this.#count(`${name}-${operationId}`, accessLogs, `${called} && ${pattern}`, { defaultValue });
      }
    }
    for (const { node, logGroup } of functions) {
      const isDamaged = `$.message.message = "${damagedItemMessage}"`;
      const metricName = 'DamagedItems';
      this.#count(`${metricName}Of${node.id}`, logGroup, isDamaged, { metricName, defaultValue });
      for (const [name, pattern] of Object.entries(versionPatterns)) {
        this.#count(`${name}Of${node.id}`, logGroup, pattern, { dimensions: { FunctionVersion } });
      }
    }
  }

  /** Returns the count of an indicator, or of one version of a function. */
  metric(metricName: string, version?: string): Metric {
    const dimensions = version !== undefined && { dimensionsMap: { FunctionVersion: version } };
    return new Metric({ namespace: this.#namespace, metricName, statistic: Stats.SUM, ...dimensions });
  }

  /** Returns an indicator as a share of others in a number of minutes. */
  share(counted: string, atLeast: number, minutes: number, of = 'Served'): MathExpression {
    return shareOf(this.metric(counted), atLeast, minutes, this.metric(of));
  }

  #count(id: string, logGroup: ILogGroup, pattern: string, options: object): void {
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

/** Returns a share of which at least a number is assumed: with few requests, it takes a number of errors. */
export const shareOf = (counted: Metric, atLeast: number, minutes: number, total: Metric): MathExpression =>
  new MathExpression({
    label: 'Share of requests',
    period: Duration.minutes(minutes),
    expression: `FILL(counted, 0) / IF(FILL(total, 0) > ${atLeast}, FILL(total, 0), ${atLeast})`,
    usingMetrics: { counted, total },
  });

/** Returns the throttles of a table and its indexes; a throttled index throttles writes to its table. */
export function throttles({ id, tableName: TableName, indexes }: UsedTable): MathExpression {
  const ofIndexes = Object.keys(indexes).map((name) => ({ TableName, GlobalSecondaryIndexName: name }));
  const metrics = [{ TableName }, ...ofIndexes].flatMap((dimensionsMap) =>
    ['ReadThrottleEvents', 'WriteThrottleEvents'].map(
      (metricName) =>
        new Metric({ namespace: 'AWS/DynamoDB', metricName, dimensionsMap, statistic: Stats.SUM }),
    ),
  );
  // The dashboard shows all tables in one graph, where the ids must differ.
  const named = metrics.map((metric, index) => [`${id}${index}`, metric] as const);
  return new MathExpression({
    label: id,
    expression: named.map(([name]) => `FILL(${name}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(named),
  });
}
