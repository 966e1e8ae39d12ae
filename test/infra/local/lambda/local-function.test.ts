import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type FunctionSettings, LocalFunction } from '../../../../infra/local/lambda/local-function.ts';
import type { FunctionSpec } from '../../../../infra/local/template/deployment.ts';
import { stubFunction } from '../../../support/infra/stub-deployment.ts';

// The functions log there what they throw.
vi.spyOn(process.stderr, 'write').mockReturnValue(true);

function functionOf(
  exportName: string,
  change: Partial<FunctionSpec> = {},
  settings: FunctionSettings = {},
): LocalFunction {
  const local = new LocalFunction({ ...stubFunction(exportName), ...change }, settings);
  onTestFinished(() => local.close());
  return local;
}

describe('a function', () => {
  it('gives what it returns', async () => {
    const outcome = await functionOf('repeat').invoke({ body: '{"statusCode":200}' });

    expect(outcome).toEqual({ payload: { statusCode: 200 } });
  });

  it('gives the error that it throws', async () => {
    const outcome = await functionOf('fail').invoke({});

    expect(outcome).toEqual({ error: { errorType: 'TypeError', errorMessage: 'It failed.' } });
  });

  it('fails when it takes longer than its timeout', async () => {
    const outcome = await functionOf('neverRespond', { timeoutMs: 20 }).invoke({});

    expect(outcome).toEqual({
      error: { errorType: 'Error', errorMessage: 'Task timed out after 0.02 seconds' },
    });
  });

  it('takes as long as it likes when it is debugged', async () => {
    const outcome = await functionOf('tellRemainingTime', { timeoutMs: 1 }, { isDebugged: true }).invoke({});

    expect(outcome).toEqual({
      payload: expect.toSatisfy((milliseconds) => milliseconds > 24 * 60 * 60 * 1000),
    });
  });

  it('fails each time when its module can not be loaded', async () => {
    const local = functionOf('repeat', { handler: 'missing.handler' });

    const outcomes = [await local.invoke({}), await local.invoke({})];

    const error = { errorType: 'Error', errorMessage: expect.stringContaining('missing.mjs') };
    expect(outcomes).toEqual([{ error }, { error }]);
  });

  it('fails when it ends its process, and works again', async () => {
    const local = functionOf('dieOrRepeat');

    const outcomes = [await local.invoke({}), await local.invoke({ body: '{"statusCode":200}' })];

    expect(outcomes).toEqual([
      { error: { errorType: 'Error', errorMessage: expect.any(String) } },
      { payload: { statusCode: 200 } },
    ]);
  });

  it('has an environment of its own', async () => {
    const outcome = await functionOf('tellEnvironment', { environment: { STAGE: 'staging' } }).invoke({});

    expect(outcome).toEqual({ payload: { STAGE: 'staging' } });
  });
});
