import { describe, expect, it, vi } from 'vitest';
import { logError } from '../../../shared/lambda/log.ts';
import { captureErrorLog } from '../../support/functions/error-log.ts';

const log = captureErrorLog();
const onlyLine = () => {
  const [line = '', ...others] = log.lines();
  expect(others).toEqual([]);
  return line;
};

describe('logError', () => {
  it('logs an error with every cause', () => {
    const root = new RangeError('out of\nrange');
    const error = new Error('no page', { cause: new TypeError('no item', { cause: root }) });

    logError('It failed.', error, { requestId: '12' });

    const line = onlyLine();
    expect(line).not.toContain('\n');
    expect(JSON.parse(line)).toEqual({
      message: 'It failed.',
      coldStart: true,
      requestId: '12',
      error: {
        name: 'Error',
        message: 'no page',
        stack: error.stack,
        cause: {
          name: 'TypeError',
          message: 'no item',
          stack: expect.stringContaining('log.test.ts'),
          cause: { name: 'RangeError', message: 'out of\nrange', stack: root.stack },
        },
      },
    });
  });

  it('logs the code of an error, and what an error is made of', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

    logError('It failed.', Object.assign(new AggregateError([refused]), { code: 'ECONNREFUSED' }));

    expect(JSON.parse(onlyLine()).error).toMatchObject({
      name: 'AggregateError',
      code: 'ECONNREFUSED',
      errors: [{ name: 'Error', message: 'connect ECONNREFUSED', code: 'ECONNREFUSED' }],
    });
  });

  it.each([
    ['a text', 'no page', 'no page'],
    ['nothing', undefined, 'undefined'],
  ])('logs %s that was thrown', (_title, thrown, error) => {
    logError('It failed.', thrown);

    expect(JSON.parse(onlyLine())).toEqual({ message: 'It failed.', coldStart: true, error });
  });

  it('says which invocation it belongs to, and whether that is the first of its environment', async () => {
    vi.resetModules();
    const { logError, startInvocation } = await import('../../../shared/lambda/log.ts');

    logError('During init.', undefined);
    startInvocation({ requestId: 'first', keyId: '0123456789ab' });
    logError('First.', undefined);
    startInvocation({ requestId: 'second' });
    logError('Second.', undefined);

    expect(log.lines().map((line) => JSON.parse(line))).toEqual([
      { message: 'During init.', coldStart: true, error: 'undefined' },
      { message: 'First.', requestId: 'first', keyId: '0123456789ab', coldStart: true, error: 'undefined' },
      { message: 'Second.', requestId: 'second', coldStart: false, error: 'undefined' },
    ]);
  });

  it('never logs what else an error carries, such as the body of a request', () => {
    const error = Object.assign(new Error('no page', { cause: { data: '{"name":"Bella"}' } }), {
      body: '{"name":"Bella"}',
      $response: { headers: { authorization: 'Bearer Bella' } },
    });

    logError('It failed.', error);

    expect(onlyLine()).not.toContain('Bella');
  });
});
