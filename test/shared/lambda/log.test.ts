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

const stack = 'LibraryError: no page\n    at read (library.js:1:2)';

it.each<[string, unknown, object]>([
  ['a text', 'no page', { message: 'no page' }],
  ['a number', 4711n, { message: '4711' }],
  ['null', null, { message: 'null' }],
  ['a symbol', Symbol('page'), { message: 'Symbol(page)' }],
  [
    "a library's own error",
    { message: 'no page', code: 'E1', stack, cause: 'no network' },
    { message: 'no page', code: 'E1', stack, cause: { message: 'no network' } },
  ],
  [
    'an object, whose values a client may have sent',
    Object.assign(Object.create(null), { id: 1, name: 'Bella' }),
    { message: 'An object with id, name was thrown.' },
  ],
])('logError logs what was thrown, even %s', async (_title, thrown, error) => {
  const { logError } = await load();

  logError('It failed.', thrown);

  expect(lines()).toEqual([{ message: 'It failed.', coldStart: true, error }]);
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
