import { localKey } from '../../../bin/local/local-key.ts';
import { type LocalApiOptions, startLocalApi } from '../../../infra/local/local-api.ts';
import type { Assembly } from '../../../infra/local/template/assembly.ts';
import { readDeployment } from '../../../infra/local/template/deployment.ts';

export async function startLocalApiWithKey(stack: Assembly, options: LocalApiOptions) {
  const api = await startLocalApi(readDeployment(stack), options);
  return { ...api, apiKey: await localKey(api), [Symbol.asyncDispose]: api.close };
}
