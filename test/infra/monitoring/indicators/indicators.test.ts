import * as v from 'valibot';
import { afterAll, expect, it, onTestFinished, vi } from 'vitest';
import { accessLogLine } from '../../../../infra/local/api-gateway/access-log.ts';
import { readDeployment } from '../../../../infra/local/template/deployment.ts';
import { synthesize } from '../../../../infra/local/template/synthesize.ts';
import { altered, readableTemplate, resourceOf } from '../../../support/infra/template.ts';
import { startLocalApiWithKey } from '../../../support/local/local-api-key.ts';
import { matchesPattern } from '../../../support/monitoring/filter-pattern.ts';

/** Sets the clock of a function to the instant at which getPet ends. */
const atSunset = `--import=data:text/javascript,${encodeURIComponent(
  `const ahead = Date.parse('2030-12-05T00:00:00Z') - Date.now();
   const { now } = Date;
   Date.now = () => now() + ahead;`,
)}`;

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

const Environment = v.object({ Variables: v.record(v.string(), v.unknown()) });

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

it('on 5 December 2030, 00:00 UTC, the 410 of getPet is no error, and listPets goes on', async () => {
  const lines: string[] = [];
  const ended = altered(stack, (resources) => {
    const { Properties } = resourceOf(resources, 'AWS::Lambda::Function', 'GetPet');
    const { Variables } = v.parse(Environment, Properties['Environment']);
    Properties['Environment'] = { Variables: { ...Variables, NODE_OPTIONS: atSunset } };
  });
  const api = await startLocalApiWithKey(ended, {
    port: 0,
    onRequest: ({ accessLogLine }) => lines.push(accessLogLine),
  });
  onTestFinished(api.close);
  const authorized = { Authorization: `Bearer ${api.apiKey}` };

  const statuses = [];
  for (const [path, headers] of [
    ['/pets/1', authorized],
    ['/pets', authorized],
    ['/store/orders', authorized],
    ['/pets', {}],
  ] as const) {
    const { status } = await fetch(`${api.baseUrl}${path}`, { headers });
    statuses.push(status);
  }
  await vi.waitFor(() => expect(lines).toHaveLength(4));

  expect(statuses).toEqual([410, 200, 404, 401]);
  // A busy machine may take its second for a cold start.
  const counted = lines.map((line) =>
    indicatorsOf(line, 'PetStoreAccessLogs').filter((name) => name !== 'Slow'),
  );
  expect(counted).toEqual([
    ['Requests', 'Served'],
    ['Requests', 'Served'],
    ['Requests'],
    ['Requests', 'Unauthorized'],
  ]);
});
