import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type ILogGroup, MetricFilter, type MetricFilterOptions } from 'aws-cdk-lib/aws-logs';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { type OperationId, operations } from '../../shared/service.ts';
import type { HandlerFunction } from '../service/handler-function.ts';
import type { PetStoreApi } from '../service/pet-store-api.ts';
import type { DeployedTable } from '../service/tables.ts';
import type { StageSettings } from '../settings/stages.ts';
import { stackPrefix } from '../stack-names.ts';
import {
  accessLogPatterns,
  damagedItem,
  functionVersion,
  operationPatterns,
  versionPatterns,
} from './log-patterns.ts';
import { calls } from './request-conditions.ts';

/** What is monitored. */
export interface Watched {
  readonly stage: string;
  readonly settings: StageSettings;
  readonly api: PetStoreApi;
  /** The authorizer, and the function of each operation. */
  readonly functions: readonly HandlerFunction[];
  readonly tables: readonly DeployedTable[];
}

/** The metric of all functions' damaged items. */
const damagedItems = 'DamagedItems';

/** The name of a count of requests: of all of them, or of those to one operation. */
export type RequestCount =
  | keyof ReturnType<typeof accessLogPatterns>
  | `${keyof ReturnType<typeof operationPatterns>}-${OperationId}`;

/** A count's dimensions, and its name if that is not the construct's. */
type CountOptions = Partial<Pick<MetricFilterOptions, 'metricName' | 'dimensions'>>;

/** Which part of the requests a {@link Indicators.share | share} counts, and in how many minutes. */
interface Share {
  /** The total; the default is all served requests. */
  readonly of?: RequestCount;
  /** A smaller total counts as this many requests: an alarm needs more than `threshold × atLeast` errors. */
  readonly atLeast: number;
  readonly minutes: number;
}

/**
 * A stage's service level indicators, counted by metric filters on its logs. API Gateway's metrics may leave
 * out gateway responses with a changed status, and Lambda counts no errors that Middy turns into responses.
 */
export class Indicators extends Construct {
  readonly #namespace: string;

  constructor(scope: Construct, id: string, { api: { accessLogs }, functions, settings, stage }: Watched) {
    super(scope, id);
    this.#namespace = `${stackPrefix}/${stage}`;

    for (const [name, pattern] of Object.entries(accessLogPatterns(settings.objectives))) {
      this.#count(name, accessLogs, pattern);
    }
    for (const operation of Object.values(operations)) {
      for (const [name, pattern] of Object.entries(operationPatterns(settings.objectives))) {
        this.#count(
          `${name}-${operation.operationId}`,
          accessLogs,
          `${calls(operation).pattern} && ${pattern}`,
        );
      }
    }
    for (const { node, logGroup } of functions) {
      this.#count(`${damagedItems}Of${node.id}`, logGroup, damagedItem, { metricName: damagedItems });
      for (const [name, pattern] of Object.entries(versionPatterns)) {
        this.#count(`${name}Of${node.id}`, logGroup, pattern, {
          dimensions: { FunctionVersion: functionVersion },
        });
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
  share(counted: RequestCount, { of = 'Served', atLeast, minutes }: Share): MathExpression {
    return shareOf(this.requests(counted), this.requests(of), { atLeast, minutes });
  }

  #metric(metricName: string): Metric {
    return new Metric({ namespace: this.#namespace, metricName, statistic: Stats.SUM });
  }

  #count(id: string, logGroup: ILogGroup, pattern: string, options: CountOptions = {}): void {
    new MetricFilter(this, id, {
      logGroup,
      metricNamespace: this.#namespace,
      metricName: id,
      metricValue: '1',
      filterPattern: FilterPattern.literal(`{ ${pattern} }`),
      // A minute without matching lines is 0, not a gap; CloudWatch allows no default beside dimensions.
      ...(!options.dimensions && { defaultValue: 0 }),
      ...options,
    });
  }
}

/** Returns the share of `total` that is `counted`. */
export const shareOf = (
  counted: IMetric,
  total: IMetric,
  { atLeast, minutes }: Omit<Share, 'of'>,
): MathExpression =>
  new MathExpression({
    label: 'Share of requests',
    period: Duration.minutes(minutes),
    expression: `FILL(counted, 0) / IF(FILL(total, 0) > ${atLeast}, FILL(total, 0), ${atLeast})`,
    usingMetrics: { counted, total },
  });
