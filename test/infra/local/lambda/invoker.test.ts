import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Invoker } from '../../../../infra/local/lambda/invoker.ts';
import { arn } from '../../../../infra/local/template/account.ts';
import type { Deployment } from '../../../../infra/local/template/deployment.ts';
import { generateApiKey } from '../../../../shared/contract/api-key.ts';
import { stubDeployment, stubFunction, stubFunctionArn } from '../../../support/infra/stub-deployment.ts';

const functionArn = stubFunctionArn('tellEnvironment');

function invokerOf(permissions: Deployment['invokePermissions']): Invoker {
  const spec = { ...stubFunction('tellEnvironment'), environment: { STAGE: 'staging' } };
  const invoker = new Invoker(
    { ...stubDeployment, functions: new Map([[functionArn, spec]]), invokePermissions: permissions },
    (role) => ({ AWS_ACCESS_KEY_ID: role }),
  );
  onTestFinished(() => invoker.close());
  return invoker;
}

describe('an invoker', () => {
  it('invokes a function for which the API has a permission, with the credentials of its role', async () => {
    const invoker = invokerOf([{ functionArn, sourceArn: arn('execute-api', 'api/v1/GET/pets/*') }]);

    const outcome = await invoker.invoke(functionArn, arn('execute-api', 'api/v1/GET/pets/12'), {});

    expect(outcome).toEqual({
      payload: { STAGE: 'staging', AWS_ACCESS_KEY_ID: 'tellEnvironment-role' },
    });
  });

  it('prints no key, and nothing that a terminal obeys, of the path that is denied', async () => {
    const logged = vi.spyOn(console, 'error').mockReturnValueOnce();
    const key = generateApiKey('staging');

    for (const path of [key, key.replaceAll('_', '%255F'), '\u009b2J']) {
      await invokerOf([]).invoke(functionArn, arn('execute-api', `api/v1/GET/pets/${path}`), {});
    }

    const printed = logged.mock.calls.slice(-3).join('\n');
    expect(printed).not.toContain(key.slice(-38));
    expect(printed).toContain('/petstore_staging_… is not authorized');
    expect(printed).toContain('/\\u009b2J is not authorized');
  });

  it.each([
    ['there is none', []],
    ['it is for another method', [{ functionArn, sourceArn: arn('execute-api', 'api/v1/POST/pets') }]],
    [
      'it is for another function',
      [{ functionArn: stubFunctionArn('repeat'), sourceArn: arn('execute-api', 'api/*') }],
    ],
  ])('is denied without a permission: %s', async (_title, permissions) => {
    const logged = vi.spyOn(console, 'error').mockReturnValueOnce();
    const errorMessage =
      'arn:aws:execute-api:us-east-1:123456789012:api/v1/GET/pets is not authorized to perform: lambda:InvokeFunction on resource: arn:aws:lambda:us-east-1:123456789012:function:tellEnvironment';

    const outcome = await invokerOf(permissions).invoke(
      functionArn,
      arn('execute-api', 'api/v1/GET/pets'),
      {},
    );

    expect(outcome).toEqual({ error: { errorType: 'AccessDeniedException', errorMessage } });
    expect(logged).toHaveBeenLastCalledWith(`AccessDeniedException: ${errorMessage}`);
  });
});
