import { type LocalApiOptions, startLocalApi } from '../../../infra/local/local-api.ts';
import type { Deployment } from '../../../infra/local/template/deployment.ts';
import { issue } from './keys.ts';

export async function startLocalApiWithKey(deployment: Deployment, options: LocalApiOptions) {
  const api = await startLocalApi(deployment, options);
  const { key: apiKey } = await issue(api.port, 'local');
  return { ...api, apiKey, [Symbol.asyncDispose]: api.close };
}
