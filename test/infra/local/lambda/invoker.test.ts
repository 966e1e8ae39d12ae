import { describe, expect, it, vi } from 'vitest';
import { createInvoker } from '../../../../infra/local/lambda/invoker.ts';
import { arn } from '../../../../infra/local/template/account.ts';
import type { Deployment } from '../../../../infra/local/template/deployment.ts';
import { generateApiKey } from '../../../../shared/contract/api-key.ts';
import { stubDeployment, stubFunction, stubFunctionArn } from '../../../support/infra/stub-deployment.ts';

const functionArn = stubFunctionArn('tellEnvironment');

/** Invokes a function for `GET /pets/<path>` if a permission allows it. */
async function invoke(permissions: Deployment['invokePermissions'], path = '12') {
  const spec = { ...stubFunction('tellEnvironment'), environment: { STAGE: 'staging' } };
  const invoker = createInvoker('http://127.0.0.1:1/_aws/');
  invoker.deploy({
    ...stubDeployment,
    functions: [spec],
    invokePermissions: permissions,
  });
  using logged = vi.spyOn(console, 'error').mockReturnValueOnce();
  const outcome = await invoker.invoke(functionArn, arn('execute-api', `api/v1/GET/pets/${path}`), {});
  await invoker.close();
  return { outcome, logged: logged.mock.lastCall?.join() };
}

describe('an invoker', () => {
  it('invokes a function with its role, its own variables and those of Lambda', async () => {
    const { outcome } = await invoke([{ functionArn, sourceArn: arn('execute-api', 'api/v1/GET/pets/*') }]);

    expect(outcome).toEqual({
      payload: {
        STAGE: 'staging',
        AWS_ACCESS_KEY_ID: 'tellEnvironment-role',
        AWS_ENDPOINT_URL: 'http://127.0.0.1:1/_aws/',
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '128',
        AWS_LAMBDA_FUNCTION_NAME: 'tellEnvironment',
        AWS_LAMBDA_FUNCTION_VERSION: '1',
        AWS_REGION: 'us-east-1',
        AWS_SECRET_ACCESS_KEY: 'none',
      },
    });
  });

  it('prints the denied path without keys or control characters', async () => {
    const key = generateApiKey('staging');

    const { logged } = await invoke([], `${key}\u009b2J`);

    expect(logged).toContain('/petstore_staging_…\\u009b2J is not authorized');
  });

  it.each([
    ['another method', { functionArn, sourceArn: arn('execute-api', 'api/v1/POST/pets') }],
    ['another function', { functionArn: stubFunctionArn('repeat'), sourceArn: arn('execute-api', 'api/*') }],
  ])('denies a call with a permission for %s alone', async (_title, permission) => {
    const errorMessage =
      'arn:aws:execute-api:us-east-1:123456789012:api/v1/GET/pets/12 is not authorized to perform: lambda:InvokeFunction on resource: arn:aws:lambda:us-east-1:123456789012:function:tellEnvironment';

    expect(await invoke([permission])).toEqual({
      outcome: { error: { errorType: 'AccessDeniedException', errorMessage, stackTrace: [] } },
      logged: `AccessDeniedException: ${errorMessage}`,
    });
  });
});
