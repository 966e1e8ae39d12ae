import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Invoker } from '../../../../infra/local/lambda/invoker.ts';
import { arn } from '../../../../infra/local/template/account.ts';
import type { Deployment } from '../../../../infra/local/template/deployment.ts';
import { generateApiKey } from '../../../../shared/contract/api-key.ts';
import { stubDeployment, stubFunction, stubFunctionArn } from '../../../support/infra/stub-deployment.ts';

const functionArn = stubFunctionArn('tellEnvironment');

/** Invokes a function for `GET /pets/<path>`, as far as there is a permission. */
async function invoke(permissions: Deployment['invokePermissions'], path = '12') {
  const spec = { ...stubFunction('tellEnvironment'), environment: { STAGE: 'staging' } };
  const invoker = new Invoker(
    { ...stubDeployment, functions: new Map([[functionArn, spec]]), invokePermissions: permissions },
    (role) => ({ AWS_ACCESS_KEY_ID: role }),
  );
  const logged = vi.spyOn(console, 'error').mockReturnValueOnce();
  onTestFinished(() => logged.mockRestore());
  const outcome = await invoker.invoke(functionArn, arn('execute-api', `api/v1/GET/pets/${path}`), {});
  await invoker.close();
  return { outcome, logged: logged.mock.lastCall?.join() };
}

describe('an invoker', () => {
  it('invokes a function for which the API has a permission, with the credentials of its role', async () => {
    const { outcome } = await invoke([{ functionArn, sourceArn: arn('execute-api', 'api/v1/GET/pets/*') }]);

    expect(outcome).toEqual({
      payload: { STAGE: 'staging', AWS_ACCESS_KEY_ID: 'tellEnvironment-role' },
    });
  });

  it('prints no key, and nothing that a terminal obeys, of the path that is denied', async () => {
    const key = generateApiKey('staging');

    for (const path of [key, key.replaceAll('_', '%255F')]) {
      const { logged } = await invoke([], path);

      expect(logged).toContain('/petstore_staging_… is not authorized');
      expect(logged).not.toContain(key.slice(-38));
    }
    expect((await invoke([], '\u009b2J')).logged).toContain('/\\u009b2J is not authorized');
  });

  it.each([
    ['another method', { functionArn, sourceArn: arn('execute-api', 'api/v1/POST/pets') }],
    ['another function', { functionArn: stubFunctionArn('repeat'), sourceArn: arn('execute-api', 'api/*') }],
  ])('is denied with a permission for %s alone', async (_title, permission) => {
    const errorMessage =
      'arn:aws:execute-api:us-east-1:123456789012:api/v1/GET/pets/12 is not authorized to perform: lambda:InvokeFunction on resource: arn:aws:lambda:us-east-1:123456789012:function:tellEnvironment';

    expect(await invoke([permission])).toEqual({
      outcome: { error: { errorType: 'AccessDeniedException', errorMessage } },
      logged: `AccessDeniedException: ${errorMessage}`,
    });
  });
});
