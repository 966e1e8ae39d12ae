import { beforeEach, describe, expect, it, vi } from 'vitest';
import { captureErrorLog } from '../../support/functions/error-log.ts';

const log = captureErrorLog();
const lines = () => log.lines().map((line) => JSON.parse(line));

let { logError, startInvocation } = await import('../../../shared/lambda/log.ts');

describe('logError', () => {
  beforeEach(async () => {
    // As it is at the start of an execution environment.
    vi.resetModules();
    ({ logError, startInvocation } = await import('../../../shared/lambda/log.ts'));
  });

  it('logs an error with its code, what it is made of and every cause, and nothing else that it carries', () => {
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
      errors: [
        { name: 'Error', message: 'connect ECONNREFUSED', code: 'ECONNREFUSED', stack: refused.stack },
      ],
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

  it('says which invocation it belongs to, and whether that is the first of its environment', () => {
    logError('During init.', undefined);
    startInvocation({ requestId: 'first', keyId: '0123456789ab' });
    logError('First.', 'no page');
    startInvocation();
    logError('Second.', undefined);

    expect(lines()).toEqual([
      { message: 'During init.', coldStart: true, error: 'undefined' },
      { message: 'First.', requestId: 'first', keyId: '0123456789ab', coldStart: true, error: 'no page' },
      { message: 'Second.', coldStart: false, error: 'undefined' },
    ]);
  });
});
