import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { accessLogLine } from '../../../../infra/local/api-gateway/access-log.ts';
import { readDeployment } from '../../../../infra/local/template/deployment.ts';
import { synthesize } from '../../../../infra/local/template/synthesize.ts';
import { altered, readableTemplate, resourceOf } from '../../../support/infra/template.ts';
import { type LocalApiWithKey, startLocalApiWithKey } from '../../../support/local/local-api-key.ts';
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

describe('what a request counts for', () => {
  const toLine = accessLogLine(accessLogFormat);

  it.each([
    ['a response in time', { status: '200', responseLatency: '12' }, ['Requests', 'Served']],
    ['a response of just a second', { status: '200', responseLatency: '1000' }, ['Requests', 'Served']],
    ['a slow one', { status: '200', responseLatency: '1001' }, ['Requests', 'Served', 'Slow']],
    ['a bad request', { status: '400', responseLatency: '12' }, ['Requests', 'Served']],
    ['an error', { status: '500', responseLatency: '12' }, ['Requests', 'Served', 'Errors']],
    [
      'a timeout of API Gateway',
      { status: '504', responseLatency: '29000', 'error.responseType': 'INTEGRATION_TIMEOUT' },
      ['Requests', 'Served', 'Errors', 'Slow'],
    ],
    [
      'an authorizer that throws',
      { status: '503', responseLatency: '12', 'error.responseType': 'AUTHORIZER_CONFIGURATION_ERROR' },
      ['Requests', 'Served', 'Errors', 'AuthorizerFaults'],
    ],
    ['a throttled one', { status: '429', responseLatency: '2000' }, ['Requests', 'Throttled']],
  ])('%s', (_title, values, expected) => {
    expect(indicatorsOf(toLine(values), 'PetStoreAccessLogs')).toEqual(expected);
  });
});

describe('what a line of a function counts for', () => {
  it.each([
    ['a fault', { level: 'ERROR', message: { message: 'It failed.' } }, ['Faults']],
    [
      'a timeout',
      { type: 'platform.report', record: { status: 'timeout', metrics: { durationMs: 5000 } } },
      ['Faults'],
    ],
    ['an invocation that went well', { type: 'platform.report', record: { status: 'success' } }, []],
    ['a notice', { level: 'INFO', message: 'It is well.' }, []],
    [
      'a cold start',
      { type: 'platform.report', record: { metrics: { durationMs: 12, initDurationMs: 51.2 } } },
      ['InitDuration'],
    ],
    ['a warm one', { type: 'platform.report', record: { metrics: { durationMs: 2 } } }, []],
  ])('%s', (_title, line, expected) => {
    expect(indicatorsOf(JSON.stringify(line), 'GetPetLogs')).toEqual(expected);
  });
});

describe('5 December 2030, 00:00 UTC', () => {
  const lines: string[] = [];
  let api: LocalApiWithKey;

  beforeAll(async () => {
    const ended = altered(stack, (resources) => {
      const { Properties } = resourceOf(resources, 'AWS::Lambda::Function', 'GetPet');
      const { Variables } = v.parse(Environment, Properties['Environment']);
      Properties['Environment'] = { Variables: { ...Variables, NODE_OPTIONS: atSunset } };
    });
    api = await startLocalApiWithKey(ended, {
      port: 0,
      onRequest: ({ accessLogLine }) => lines.push(accessLogLine),
    });
  });
  afterAll(() => api.close());

  it.each([
    ['getPet responds 410, which is no error', '/pets/1', 410, ['Requests', 'Served']],
    ['listPets goes on', '/pets', 200, ['Requests', 'Served']],
    ['a path that does not exist is neither', '/store/orders', 404, ['Requests']],
  ])('%s', async (_title, path, status, expected) => {
    const response = await fetch(`${api.baseUrl}${path}`, {
      headers: { Authorization: `Bearer ${api.apiKey}` },
    });
    await vi.waitFor(() => expect(lines).toHaveLength(1));
    const line = lines.pop() ?? '';

    expect(response.status).toBe(status);
    // A busy machine may take its second for a cold start.
    const counted = indicatorsOf(line, 'PetStoreAccessLogs').filter((name) => name !== 'Slow');
    expect(counted).toEqual(expected);
  });

  it('a request without a key is refused, and neither', async () => {
    const { status } = await fetch(`${api.baseUrl}/pets`);
    await vi.waitFor(() => expect(lines).toHaveLength(1));

    expect(status).toBe(401);
    expect(indicatorsOf(lines.pop() ?? '', 'PetStoreAccessLogs')).toEqual(['Requests', 'Unauthorized']);
  });
});
