import { describe, expect, it, vi } from 'vitest';
import { LocalFunction } from '../../../../infra/local/lambda/local-function.ts';
import { stubFunction } from '../../../support/infra/stub-deployment.ts';

// The functions log there what they throw.
vi.spyOn(process.stderr, 'write').mockReturnValue(true);

/** Invokes a function with some events, one after the other. */
async function outcomesOf(exportName: string, change: object, events: readonly object[], settings = {}) {
  const local = new LocalFunction({ ...stubFunction(exportName), ...change }, settings);
  const outcomes = [];
  for (const event of events) outcomes.push(await local.invoke(event));
  await local.close();
  return outcomes;
}

describe('a function', { concurrent: true }, () => {
  it.each([
    ['that it throws', 'fail', {}, 'TypeError', /^It failed\.$/],
    ['of its timeout', 'neverRespond', { timeoutMs: 20 }, 'Error', /^Task timed out after 0\.02 seconds$/],
    ['of loading its module', 'repeat', { handler: 'missing.handler' }, 'Error', /missing\.mjs/],
  ])('gives the error %s, each time', async (_title, exportName, change, errorType, message) => {
    const failed = { error: { errorType, errorMessage: expect.stringMatching(message) } };

    expect(await outcomesOf(exportName, change, [{}, {}])).toEqual([failed, failed]);
  });

  it('takes as long as it likes when it is debugged', async () => {
    const payload = expect.toSatisfy((milliseconds) => milliseconds > 24 * 60 * 60 * 1000);

    expect(await outcomesOf('tellRemainingTime', { timeoutMs: 1 }, [{}], { isDebugged: true })).toEqual([
      { payload },
    ]);
  });

  it('fails when it ends its process, and works again', async () => {
    const outcomes = await outcomesOf('dieOrRepeat', {}, [{}, { body: '{"statusCode":200}' }]);

    expect(outcomes).toEqual([
      { error: { errorType: 'Error', errorMessage: expect.any(String) } },
      { payload: { statusCode: 200 } },
    ]);
  });
});
