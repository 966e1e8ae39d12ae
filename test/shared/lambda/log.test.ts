import { expect, it, vi } from 'vitest';
import { captureLog } from '../../support/functions/capture-log.ts';

const log = captureLog();
const lines = () => log.errors().map((line) => JSON.parse(line));

/** Loads the module as at the start of an execution environment. */
function load() {
  vi.resetModules();
  return import('../../../shared/lambda/log.ts');
}

it('logError logs code, parts and causes of an error, but no other property', async () => {
  const { logError } = await load();
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const root = Object.assign(new AggregateError([refused], 'no\nconnection'), { code: 'ECONNREFUSED' });
  const error = Object.assign(new Error('no page', { cause: new TypeError('no item', { cause: root }) }), {
    body: '{"name":"Bella"}',
    code: { name: 'Bella' },
    $response: { headers: { authorization: 'Bearer Bella' } },
  });

  logError('It failed.', error, { requestId: '12' });

  const cause = {
    name: 'AggregateError',
    message: 'no\nconnection',
    code: 'ECONNREFUSED',
    stack: root.stack,
    errors: [{ name: 'Error', message: 'connect ECONNREFUSED', code: 'ECONNREFUSED', stack: refused.stack }],
  };
  const stack = expect.stringContaining('log.test.ts');
  expect(lines()).toEqual([
    {
      message: 'It failed.',
      coldStart: true,
      requestId: '12',
      error: {
        name: 'Error',
        message: 'no page',
        stack,
        cause: { name: 'TypeError', message: 'no item', stack, cause },
      },
    },
  ]);
});

it('logError names function version, invocation and whether it is a cold start', async () => {
  const functionVersion = '7';
  const first = { requestId: 'first', keyId: '0123456789ab' };
  vi.stubEnv('AWS_LAMBDA_FUNCTION_VERSION', functionVersion);
  const { logError, startInvocation } = await load();

  logError('During init.', undefined);
  startInvocation(first);
  logError('First.', 'no page');
  startInvocation();
  logError('Second.', undefined);

  expect(lines()).toEqual([
    { message: 'During init.', functionVersion, coldStart: true },
    { message: 'First.', functionVersion, ...first, coldStart: true, error: 'no page' },
    { message: 'Second.', functionVersion, coldStart: false },
  ]);
});

it('logInfo names the function version, by which CloudWatch counts rejections', async () => {
  vi.stubEnv('AWS_LAMBDA_FUNCTION_VERSION', '7');
  const { logInfo } = await load();

  logInfo('It happened.', { code: 'not_found' });

  const line = { message: 'It happened.', functionVersion: '7', code: 'not_found', coldStart: true };
  expect(log.infos().map((text) => JSON.parse(text))).toEqual([line]);
});
