import { localKey } from '../../../bin/local/local-key.ts';
import { type LocalApiOptions, startLocalApi } from '../../../infra/local/local-api.ts';
import type { Deployment } from '../../../infra/local/template/deployment.ts';

export async function startLocalApiWithKey(deployment: Deployment, options: LocalApiOptions) {
  const api = await startLocalApi(deployment, options);
  return { ...api, apiKey: await localKey(api), [Symbol.asyncDispose]: api.close };
}
