import * as v from 'valibot';
import { afterAll, expect, it } from 'vitest';
import { accessLogFormat } from '../../../infra/service/access-log-format.ts';
import { requestRejectedMessage } from '../../../shared/lambda/log.ts';
import { damagedItemMessage } from '../../../shared/tables/stored-item.ts';
import { synthesize } from '../../support/infra/synthesize.ts';
import { readableTemplate } from '../../support/infra/template.ts';
import { accessLogLine } from '../../support/monitoring/access-log-line.ts';
import { MetricFilters, matchesPattern } from '../../support/monitoring/filter-pattern.ts';

const stack = synthesize('production');
afterAll(stack.dispose);
const { propertiesOf } = readableTemplate(stack.template);
const filters = Object.values(v.parse(MetricFilters, propertiesOf('AWS::Logs::MetricFilter')));

const indicatorsOf = (line: string, log: string) =>
  filters
    .filter(({ LogGroupName, FilterPattern }) => LogGroupName === log && matchesPattern(FilterPattern, line))
    .map(({ MetricTransformations: [{ MetricName }] }) => MetricName);

const listed = {
  'authorizer.client': 'acme',
  httpMethod: 'GET',
  resourcePath: '/pets',
  status: '200',
};

// The incidents cover the others.
it.each([
  [
    'a response after one second',
    { ...listed, responseLatency: '1000' },
    ['Served', 'ServedOrDenied', 'ServedOrThrottled', 'Served-listPets'],
  ],
  [
    'a slow response',
    { ...listed, responseLatency: '1001' },
    ['Served', 'Slow', 'ServedOrDenied', 'ServedOrThrottled', 'Served-listPets'],
  ],
  [
    'a request that AWS WAF blocks',
    { status: '429', responseLatency: '2', wafResponseCode: 'WAF_BLOCK' },
    [],
  ],
])('%s counts towards the right indicators', (_title, values, expected) => {
  const line = accessLogLine(accessLogFormat.toString())(values);

  expect(indicatorsOf(line, 'PetStoreAccessLogs')).toEqual(expected);
});

const fault = { message: 'It failed.', functionVersion: '7' };
const rejected = (code: string) => ({ message: requestRejectedMessage, code, functionVersion: '7' });
const damaged = { message: damagedItemMessage, functionVersion: '7' };

it.each([
  ['a fault', { level: 'ERROR', message: fault }, ['FaultsOfGetPet']],
  ['a warning', { level: 'WARN', message: fault }, []],
  ['a rejection', { level: 'INFO', message: rejected('invalid_body') }, ['RejectionsOfGetPet']],
  ['a request for what does not exist', { level: 'INFO', message: rejected('not_found') }, []],
  ['a response of an operation past its sunset', { level: 'INFO', message: rejected('gone') }, []],
  ['a damaged pet', { level: 'ERROR', message: damaged }, ['DamagedItems', 'FaultsOfGetPet']],
  ['a notice', { level: 'INFO', message: { message: 'All is well.' } }, []],
])("%s in a function's log counts towards the right indicators", (_title, line, expected) => {
  expect(indicatorsOf(JSON.stringify(line), 'GetPetLogs')).toEqual(expected);
});
