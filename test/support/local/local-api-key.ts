import { project } from '../../../bin/local/project.ts';
import { startLocalApi } from '../../../infra/local/local-api.ts';
import type { Deployment } from '../../../infra/local/template/deployment.ts';
import { issue } from './keys.ts';

/** Starts a local API on a free port, with a key to call it. */
export async function startLocalApiWithKey(deployment: Deployment) {
  const api = await startLocalApi(deployment, { port: 0, project });
  const { key: apiKey } = await issue(api.port, 'local');
  return { ...api, apiKey, [Symbol.asyncDispose]: api.close };
}
