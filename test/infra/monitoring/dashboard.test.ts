import * as v from 'valibot';
import { expect, it } from 'vitest';
import { capitalize } from '../../../infra/settings/stage-names.ts';
import { operations } from '../../../shared/contract/operations.ts';
import { productionTemplate } from '../../support/infra/synthesize.ts';
import { readableTemplate } from '../../support/infra/template.ts';

const { propertiesOf } = readableTemplate(productionTemplate());
const { MonitoringDashboard } = propertiesOf('AWS::CloudWatch::Dashboard');
const Widget = v.looseObject({
  title: v.string(),
  metrics: v.optional(v.array(v.array(v.unknown()))),
  query: v.optional(v.string()),
});
const Body = v.object({ widgets: v.array(v.object({ properties: Widget })) });
const { DashboardBody } = v.parse(v.looseObject({ DashboardBody: v.string() }), MonitoringDashboard);
const widgets = new Map(
  v.parse(Body, JSON.parse(DashboardBody)).widgets.map(({ properties }) => [properties.title, properties]),
);

it('has the graphs that the runbook looks at', () => {
  const titles = [
    'Requests per minute',
    'Errors per served request',
    'Latency, ms',
    'p99 duration of each function, ms',
    'Crashes and timeouts of each function per minute',
    'Concurrent runs of each function',
    'Throttled reads and writes per minute',
    'Blocked by each rule of the web ACL per minute',
    'Who still calls getPet',
  ];
  expect([...widgets.keys()]).toEqual(expect.arrayContaining(titles));
});

it.each([
  ['p99 duration of each function, ms', 'Duration', { stat: 'p99' }],
  ['Crashes and timeouts of each function per minute', 'Errors', { stat: 'Sum' }],
  ['Concurrent runs of each function', 'ConcurrentExecutions', { stat: 'Maximum' }],
])('%s has a line for each function', (title, metricName, statistic) => {
  const line = (label: string) => [
    'AWS/Lambda',
    metricName,
    'FunctionName',
    `${label}Function`,
    expect.objectContaining({ label, ...statistic }),
  ];

  const lines = widgets.get(title)?.metrics;
  expect(lines).toEqual(['Authorizer', ...Object.keys(operations).map(capitalize)].map(line));
});

it('counts requests by outcome', () => {
  const names = widgets.get('Requests per minute')?.metrics?.map(([, name]) => name);

  expect(names).toEqual(['Served', 'Errors', 'Denied', 'Throttled']);
});
