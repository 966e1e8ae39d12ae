import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type ILogGroup, MetricFilter, type MetricFilterOptions } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Operation } from '../../shared/contract/operation.ts';
import { type OperationId, operations } from '../../shared/contract/operations.ts';
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
const failed = '($.status >= 500)';
const slow = `${served} && ($.latency > ${slowAfterMilliseconds})`;

const calls = ({ method, path }: Operation) => `(($.method = "${method}") && ($.path = "${path}"))`;
const callsAny = Object.values(operations).map(calls).join(' || ');
// The web ACL already handles what it blocks. HEAD and unsupported methods have limits of their own, which
// anybody can exceed without disturbing a client.
const throttled = `(($.status = 429) && ($.waf != "WAF_BLOCK") && (${callsAny}))`;

/** Filter patterns on the access log, where `status` and `latency` are numbers. */
const accessLogPatterns = {
  Served: served,
  Errors: failed,
  Slow: slow,
  Denied: denied,
  ServedOrDenied: `${served} || ${denied}`,
  Throttled: throttled,
  ServedOrThrottled: `${served} || ${throttled}`,
};

/** Filter patterns on the access log, counted for each operation. */
const operationPatterns = {
  Served: served,
  Errors: failed,
  Slow: slow,
  Rejected: `${served} && (($.status = 400) || ($.status = 404))`,
};

/** The metric of all functions' damaged items. */
const damagedItems = 'DamagedItems';

/** Filter patterns on a function's log, counted for each version of the function. */
const FunctionVersion = '$.message.functionVersion';
const versionPatterns = {
  // Lambda itself counts functions that throw or time out. A warning is not a fault.
  Faults: `($.level = "ERROR") && (${FunctionVersion} = *)`,
  // A client that polls what does not exist would block every release, as would an operation past its sunset.
  Rejections: `($.message.message = "${requestRejectedMessage}") && ($.message.code != "not_found") && ($.message.code != "gone")`,
};

/** The name of a count of requests: of all of them, or of those to one operation. */
export type RequestCount =
  | keyof typeof accessLogPatterns
  | `${keyof typeof operationPatterns}-${OperationId}`;

/** A count's value without matching lines, its dimensions, and its name if that is not the construct's. */
type CountOptions = Partial<Pick<MetricFilterOptions, 'metricName' | 'defaultValue' | 'dimensions'>>;

/** Which part of the requests a {@link Indicators.share | share} counts, and in how many minutes. */
interface Share {
  readonly of: RequestCount;
  /** A smaller total counts as this many requests, so that a few errors at night do not fire. */
  readonly atLeast: number;
  readonly minutes: number;
}

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
    for (const operation of Object.values(operations)) {
      for (const [name, pattern] of Object.entries(operationPatterns)) {
        const id = `${name}-${operation.operationId}`;
        this.#count(id, accessLogs, `${calls(operation)} && ${pattern}`, { defaultValue });
      }
    }
    for (const { node, logGroup } of functions) {
      const isDamaged = `$.message.message = "${damagedItemMessage}"`;
      this.#count(`${damagedItems}Of${node.id}`, logGroup, isDamaged, {
        metricName: damagedItems,
        defaultValue,
      });
      for (const [name, pattern] of Object.entries(versionPatterns)) {
        this.#count(`${name}Of${node.id}`, logGroup, pattern, { dimensions: { FunctionVersion } });
      }
    }
  }

  /** Returns a count of requests. */
  requests(name: RequestCount): Metric {
    return this.#metric(name);
  }

  /** Returns how often a function found a damaged item. */
  damagedItems(period: Duration): Metric {
    return this.#metric(damagedItems).with({ period });
  }

  /** Returns a count of what one version of a function logged. */
  ofVersion(name: keyof typeof versionPatterns, { node }: HandlerFunction, version: string): Metric {
    return this.#metric(`${name}Of${node.id}`).with({ dimensionsMap: { FunctionVersion: version } });
  }

  /** Returns a count as a share of another one. */
  share(counted: RequestCount, { of, atLeast, minutes }: Share): MathExpression {
    return shareOf(this.requests(counted), { total: this.requests(of), atLeast, minutes });
  }

  #metric(metricName: string): Metric {
    return new Metric({ namespace: this.#namespace, metricName, statistic: Stats.SUM });
  }

  #count(id: string, logGroup: ILogGroup, pattern: string, options: CountOptions): void {
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

interface ShareOfMetric extends Omit<Share, 'of'> {
  readonly total: IMetric;
}

/**
 * Returns the share of `total` that is `counted`. A total below `atLeast` counts as `atLeast`, so that a few
 * errors at night do not fire.
 */
export const shareOf = (counted: IMetric, { total, atLeast, minutes }: ShareOfMetric): MathExpression =>
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
