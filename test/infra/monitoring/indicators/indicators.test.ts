import * as v from 'valibot';
import { afterAll, expect, it } from 'vitest';
import { accessLogLine } from '../../../../infra/local/api-gateway/access-log.ts';
import { readDeployment } from '../../../../infra/local/template/deployment.ts';
import { synthesize } from '../../../../infra/local/template/synthesize.ts';
import { readableTemplate } from '../../../support/infra/template.ts';
import { matchesPattern } from '../../../support/monitoring/filter-pattern.ts';

const stack = synthesize('production');
afterAll(stack.dispose);
const { accessLogFormat } = readDeployment(stack);
const { propertiesOf } = readableTemplate(stack.template);
const filters = Object.values(
  v.parse(
    v.record(
      v.string(),
      v.object({
        FilterPattern: v.string(),
        LogGroupName: v.string(),
        MetricTransformations: v.tuple([v.object({ MetricName: v.string() })]),
      }),
    ),
    propertiesOf('AWS::Logs::MetricFilter'),
  ),
);

/** The indicators that a line of a log counts for. */
const indicatorsOf = (line: string, logGroup: string) =>
  filters
    .filter(
      ({ LogGroupName, FilterPattern }) => LogGroupName === logGroup && matchesPattern(FilterPattern, line),
    )
    .map(({ MetricTransformations: [{ MetricName }] }) => MetricName);

it.each([
  ['a response of just a second', { status: '200', responseLatency: '1000' }, ['Requests', 'Served']],
  ['a slow one', { status: '200', responseLatency: '1001' }, ['Requests', 'Served', 'Slow']],
  ['a 410 of getPet', { status: '410', responseLatency: '12' }, ['Requests', 'Served']],
  ['a bad key', { status: '401', responseLatency: '12' }, ['Requests', 'Unauthorized']],
  [
    'a path that does not exist',
    { status: '404', responseLatency: '12', 'error.responseType': 'MISSING_AUTHENTICATION_TOKEN' },
    ['Requests'],
  ],
  ['an error', { status: '500', responseLatency: '12' }, ['Requests', 'Served', 'Errors']],
  [
    'an authorizer that throws',
    { status: '503', responseLatency: '12', 'error.responseType': 'AUTHORIZER_CONFIGURATION_ERROR' },
    ['Requests', 'Served', 'Errors', 'AuthorizerFaults'],
  ],
  ['a throttled request', { status: '429', responseLatency: '2000' }, ['Requests', 'Throttled']],
])('%s counts for what it is', (_title, values, expected) => {
  const line = accessLogLine(accessLogFormat)(values);

  expect(indicatorsOf(line, 'PetStoreAccessLogs')).toEqual(expected);
});

it.each([
  ['a fault', { level: 'ERROR', message: { message: 'It failed.' } }, ['Faults']],
  ['a timeout', { type: 'platform.report', record: { status: 'timeout' } }, ['Faults']],
  ['a notice', { level: 'INFO', message: 'It is well.' }, []],
  ['a cold start', { record: { status: 'success', metrics: { initDurationMs: 51.2 } } }, ['InitDuration']],
  ['a warm one', { record: { status: 'success', metrics: { durationMs: 2 } } }, []],
])("%s in a function's log counts for what it is", (_title, line, expected) => {
  expect(indicatorsOf(JSON.stringify(line), 'GetPetLogs')).toEqual(expected);
});
