import { type MetricDataQuery, paginateGetMetricData } from '@aws-sdk/client-cloudwatch';
import { apiName, stackName } from '../../../infra/stack-names.ts';
import { all, type Clients } from './clients.ts';
import type { Period } from './logs.ts';

/** The datapoints of a metric, one a minute. */
export interface Series {
  readonly label: string;
  readonly points: readonly { readonly at: Date; readonly value: number }[];
}

const minute = { Period: 60, Stat: 'Sum' };

/** Reads API Gateway's own counts of requests. */
export function readGatewayCounts(clients: Clients, stage: string, period: Period) {
  const Dimensions = [{ Name: 'ApiName', Value: apiName(stage) }];
  const queries = ['Count', '4XXError', '5XXError'].map((MetricName, index) => ({
    Id: `m${index}`,
    Label: MetricName,
    MetricStat: { ...minute, Metric: { Namespace: 'AWS/ApiGateway', MetricName, Dimensions } },
  }));
  return readSeries(clients, queries, period);
}

/**
 * Reads how many requests each rule of the web ACL blocked, also rules that somebody has added.
 * https://docs.aws.amazon.com/waf/latest/developerguide/waf-metrics.html
 */
export function readBlocked(clients: Clients, stage: string, period: Period) {
  const search = `{AWS/WAFV2,Region,Rule,WebACL} MetricName="BlockedRequests" WebACL="${stackName(stage)}"`;
  const byRule = {
    Id: 'blocked',
    Expression: `SEARCH('${search}', 'Sum', 60)`,
    Label: `\${PROP('Dim.Rule')}`,
  };
  return readSeries(clients, [byRule], period);
}

async function readSeries(
  { cloudWatch: client }: Clients,
  MetricDataQueries: MetricDataQuery[],
  { from: StartTime, to: EndTime }: Period,
): Promise<readonly Series[]> {
  const input = { MetricDataQueries, StartTime, EndTime };
  const results = await all(
    paginateGetMetricData({ client }, input),
    ({ MetricDataResults }) => MetricDataResults,
  );
  // A metric goes on on the next page, and is complete on its last one.
  return [...Map.groupBy(results, ({ Id, Label }) => `${Id} ${Label}`).values()].map((parts) => {
    const { StatusCode, Label: label = '', Messages = [] } = parts.at(-1) ?? {};
    if (StatusCode !== 'Complete') {
      throw new Error([StatusCode, ...Messages.map(({ Value }) => Value)].join(': '));
    }
    const points = parts.flatMap(({ Timestamps = [], Values = [] }) =>
      Timestamps.map((at, index) => ({ at, value: Values[index] ?? 0 })),
    );
    return { label, points };
  });
}
