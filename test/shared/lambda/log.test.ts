import { afterEach, expect, it, vi } from 'vitest';
import { captureLog } from '../../support/functions/capture-log.ts';

const log = captureLog();
const lines = () => log.errors().map((line) => JSON.parse(line));

afterEach(() => vi.unstubAllEnvs());

/** Loads the module as at the start of an execution environment. */
function load() {
  vi.resetModules();
  return import('../../../shared/lambda/log.ts');
}

it('logError logs code and causes of an error, but no other property', async () => {
  const { logError } = await load();
  const cause = Object.assign(new TypeError('no\nitem'), { code: 'ECONNREFUSED' });
  const secrets = { body: 'Bella', code: { name: 'Bella' }, $response: { headers: 'Bearer Bella' } };

  logError('It failed.', Object.assign(new Error('no page', { cause }), secrets), { requestId: '12' });

  const stack = expect.stringContaining('log.test.ts');
  const loggedCause = { name: 'TypeError', message: 'no\nitem', code: 'ECONNREFUSED', stack };
  const error = { name: 'Error', message: 'no page', stack, cause: loggedCause };
  expect(lines()).toEqual([{ message: 'It failed.', coldStart: true, requestId: '12', error }]);
});

it('logError logs errors that cause each other six deep', async () => {
  const { logError } = await load();
  const error = new Error('chicken');
  error.cause = new Error('egg', { cause: error });

  logError('It failed.', error);

  expect(
    log
      .errors()
      .join()
      .match(/"message":"(chicken|egg)"/g),
  ).toHaveLength(6);
});

it('logError logs the first of several reasons', async () => {
  const { logError } = await load();

  logError('It failed.', new AggregateError([new Error('refused'), new Error('timed out')], 'no address'));

  expect(lines()).toMatchObject([{ error: { message: 'no address', cause: { message: 'refused' } } }]);
});

it('each line names function version, invocation and whether it is a cold start', async () => {
  const functionVersion = '7';
  const first = { requestId: 'first', keyId: '0123456789ab' };
  vi.stubEnv('AWS_LAMBDA_FUNCTION_VERSION', functionVersion);
  const { logError, logInfo, logWarning, startInvocation } = await load();

  logError('During init.', undefined);
  startInvocation(first);
  logError('First.', undefined);
  startInvocation();
  logError('Second.', undefined);
  logInfo('Third.', { code: 'not_found' });
  logWarning('Fourth.', undefined);

  expect(lines()).toEqual([
    { message: 'During init.', functionVersion, coldStart: true },
    { message: 'First.', functionVersion, ...first, coldStart: true },
    { message: 'Second.', functionVersion, coldStart: false },
  ]);
  const info = { message: 'Third.', functionVersion, coldStart: false, code: 'not_found' };
  expect(log.infos().map((line) => JSON.parse(line))).toEqual([info]);
  const warning = { message: 'Fourth.', functionVersion, coldStart: false };
  expect(log.warnings().map((line) => JSON.parse(line))).toEqual([warning]);
});

it('a line of work that outlives its invocation keeps the ids of that invocation', async () => {
  const first = { requestId: 'first', keyId: '0123456789ab' };
  const { logError, startInvocation } = await load();
  const outlived = Promise.withResolvers<void>();

  startInvocation(first);
  const work = outlived.promise.then(() => logError('Late.', undefined));
  startInvocation({ requestId: 'second' });
  outlived.resolve();
  await work;

  expect(lines()).toEqual([{ message: 'Late.', ...first, coldStart: true }]);
});
